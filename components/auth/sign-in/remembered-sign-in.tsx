'use client'

import { type ReactNode, useId } from 'react'
import { navigateAfterSignIn } from '@/components/auth/navigate-after-sign-in'
import { useWords } from '@/components/ui/words/words'
import type { RememberedSignIn } from '@/lib/api/remembered-sign-in'
import { rememberUsername } from '@/lib/browser/sign-in/sign-in'

/** Marks a button as that of the method that was used last, for screen readers too. */
export function LastUsed({
  isLastUsed,
  children,
}: {
  isLastUsed: boolean
  children: (describedBy?: string) => ReactNode
}) {
  const { lastUsed } = useWords('signIn')
  const id = useId()
  if (!isLastUsed) return children()
  return (
    <div className="relative">
      {children(id)}
      <span id={id} className="last-used">
        {lastUsed}
      </span>
    </div>
  )
}

/** Asks whether this browser may remember the username. Nothing is kept unless the person says so. */
export function RememberUsername({ remembered, disabled }: { remembered: RememberedSignIn; disabled: boolean }) {
  const { remember } = useWords('signIn')
  return (
    <label className="flex min-h-9 cursor-pointer items-center gap-2.5 text-small">
      <input
        type="checkbox"
        name="remember"
        defaultChecked={remembered.username !== null}
        disabled={disabled}
        className="size-4.5 shrink-0"
      />
      {remember}
    </label>
  )
}

/**
 * Continues after signing in, with what the person chose to have remembered.
 *
 * @param scope where the checkbox is. Left as it came, it changes nothing: it may have been another person's choice
 */
export async function continueAfterSignIn(scope: HTMLElement | null, next: string): Promise<void> {
  const box = scope?.querySelector<HTMLInputElement>('[name="remember"]')
  if (box && box.checked !== box.defaultChecked) await rememberUsername(box.checked)
  navigateAfterSignIn(next)
}
