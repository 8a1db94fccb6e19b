'use client'

import { navigateAfterSignIn } from '@/components/auth/navigate-after-sign-in'
import { rememberUsername } from '@/lib/browser/sign-in/sign-in'

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
