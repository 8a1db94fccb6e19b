import type { AccountEvent, EventMethod, Method } from '@/lib/api/schemas'

const isSignIn = ({ type }: AccountEvent) =>
  type === 'signed_in' || type === 'reauthenticated' || type === 'account_created'

/** Whether the person signed in with a recovery code and has set up no passkey or password since. `events`: newest first */
export function needsNewSignInMethod(methods: string[], events: AccountEvent[]): boolean {
  if (!methods.every((method) => method === 'recovery')) return false
  const latest = events.find(
    (event) => isNewSignInMethod(event.type) || (isSignIn(event) && event.method === 'recovery'),
  )
  return !latest || !isNewSignInMethod(latest.type)
}

const isNewSignInMethod = (type: string) => type === 'passkey_added' || type === 'password_changed'

/** Whether the latest sign-in was with a password, within the last ten minutes. `now` in milliseconds */
export function signedInByPasswordRecently(events: AccountEvent[], now: number): boolean {
  const latest = events.find(isSignIn)
  return latest?.method === 'pwd' && now - Date.parse(latest.at) < tenMinutes
}

const tenMinutes = 10 * 60_000

/** What somebody signs in with, in words. */
export const methodNames: Record<Method, string> = {
  pwd: 'a password',
  passkey: 'a passkey',
  recovery: 'a recovery code',
}

const withMethod = (done: string) => (way: string | undefined, count: number) =>
  `${done}${way ? ` with ${way}` : ''}${count > 1 ? `, ${count} times` : ''}`

/** What an operator did as the owner might have done says so. */
export const byOperator = (sentence: string, method: EventMethod | null) =>
  method === 'operator' ? `${sentence} by an administrator` : sentence

const sentences: Record<string, (way: string | undefined, count: number) => string> = {
  account_created: withMethod('Account created'),
  signed_in: withMethod('Signed in'),
  reauthenticated: withMethod('Confirmed it was you'),
  signin_failed: (_, count) => (count === 1 ? 'Failed sign-in attempt' : `${count} failed sign-in attempts`),
  locked_out: (_, count) => (count === 1 ? 'Sign-in attempt blocked' : `${count} sign-in attempts blocked`),
  passkey_added: () => 'Passkey added',
  passkey_removed: () => 'Passkey removed',
  username_changed: () => 'Username changed',
  password_changed: () => 'Password changed',
  password_removed: () => 'Password removed',
  recovery_codes_made: () => 'Recovery codes created',
  signed_out_everywhere: () => 'Signed out everywhere',
  account_disabled: () => 'Account disabled',
  account_enabled: () => 'Account enabled again',
}

/** An event in words. Unknown types are shown by their names. */
export function describeEvent({ type, method, count = 1 }: AccountEvent): string {
  const way = method === null || method === 'operator' ? undefined : methodNames[method]
  return byOperator(sentences[type]?.(way, count) ?? type.replaceAll('_', ' '), method)
}
