import type { AccountEvent } from '@/lib/api/schemas'

/* The profile suggests the sign-in method that a person lacks, judging by the newest events. */

const isSignIn = ({ type }: AccountEvent) =>
  type === 'signed_in' || type === 'reauthenticated' || type === 'account_created'

/** True if the person signed in with a recovery code and has set up no passkey or password since. @param events newest first */
export function needsNewSignInMethod(methods: string[], events: AccountEvent[]): boolean {
  if (!methods.every((method) => method === 'recovery')) return false
  const latest = events.find(
    (event) => isNewSignInMethod(event.type) || (isSignIn(event) && event.method === 'recovery'),
  )
  return !latest || !isNewSignInMethod(latest.type)
}

const isNewSignInMethod = (type: string) => type === 'passkey_added' || type === 'password_changed'

/** True if the last sign-in was by password, within ten minutes, and no passkey has come since. @param now in milliseconds */
export function signedInByPasswordRecently(events: AccountEvent[], now: number): boolean {
  const latest = events.find((event) => isSignIn(event) || event.type === 'passkey_added')
  return latest?.type !== 'passkey_added' && latest?.method === 'pwd' && now - Date.parse(latest.at) < tenMinutes
}

const tenMinutes = 10 * 60_000
