'use client'

import { navigateAfterSignIn } from '@/components/auth/navigate-after-sign-in'
import type { Action } from '@/components/ui/feedback/use-action'
import { rememberUsername } from '@/lib/browser/sign-in/sign-in'

/**
 * Continues after signing in, and remembers the username if the person wants it.
 *
 * @param scope where the checkbox is
 * @param onStay runs if the page is still there once its redirects have had their time
 */
export async function continueAfterSignIn(scope: HTMLElement | null, next: string, onStay?: () => void): Promise<void> {
  if (scope?.querySelector('[name="remember"]:checked')) await rememberUsername()
  navigateAfterSignIn(next, onStay)
}

/** Ends a sign-in that has led back to an app and left the page where it is, as a URL that opens a program does. */
export const showClosePage = (closePage: string | null, action: Action) =>
  closePage === null ? undefined : () => action.settle({ tone: 'info', text: closePage }, () => undefined)
