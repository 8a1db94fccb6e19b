'use client'

import { useWords } from '@/components/ui/words/words'
import type { RememberedSignIn } from '@/lib/api/remembered-sign-in'

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
