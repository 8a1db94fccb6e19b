import type { AccountEvent } from '@/lib/api/schemas'

const isFailure = ({ type }: AccountEvent) => type === 'signin_failed' || type === 'locked_out'
const isSignIn = ({ type }: AccountEvent) => type === 'signed_in' || type === 'account_created'
/** Fewer than these happen to anybody who mistypes. */
const manyFailures = 5

/**
 * Failed attempts to sign in that the person has not been told of: those after the sign-in before the latest.
 *
 * @param events newest first
 * @returns how many, and since when; null where they are too few to speak of
 */
export function failedAttempts(events: AccountEvent[]): { count: number; since: string } | null {
  const [, before] = events.filter(isSignIn)
  if (!before) return null
  const failures = events.slice(0, events.indexOf(before)).filter(isFailure)
  const count = failures.reduce((sum, failure) => sum + (failure.count ?? 1), 0)
  const noteworthy = count >= manyFailures || failures.some(({ type }) => type === 'locked_out')
  return noteworthy ? { count, since: before.at } : null
}

/** Whether the person came in by a recovery code and has made no new way in since. `events`: newest first */
export function needsNewWayIn(methods: string[], events: AccountEvent[]): boolean {
  if (!methods.every((method) => method === 'recovery')) return false
  const latest = events.find(({ type, method }) => isNewWayIn(type) || (type === 'signed_in' && method === 'recovery'))
  return !latest || !isNewWayIn(latest.type)
}

const isNewWayIn = (type: string) => type === 'passkey_added' || type === 'password_changed'

/** Whether the latest sign-in was by password and not long ago: then the person has a moment for a better way. `now` in milliseconds */
export function justCameByPassword(events: AccountEvent[], now: number): boolean {
  const latest = events.find(isSignIn)
  return latest?.method === 'pwd' && now - Date.parse(latest.at) < tenMinutes
}

const tenMinutes = 10 * 60_000

const ways: Record<string, string> = { pwd: 'a password', passkey: 'a passkey', recovery: 'a recovery code' }

const sentences: Record<string, (way: string | undefined, count: number) => string> = {
  account_created: (way) => (way ? `Account created with ${way}` : 'Account created'),
  signed_in: (way) => (way ? `Signed in with ${way}` : 'Signed in'),
  signin_failed: (_, count) => (count === 1 ? 'A failed attempt to sign in' : `${count} failed attempts to sign in`),
  locked_out: (_, count) =>
    count === 1 ? 'An attempt to sign in was turned away' : `${count} attempts to sign in were turned away`,
  passkey_added: () => 'Passkey added',
  passkey_removed: () => 'Passkey removed',
  username_changed: () => 'Username changed',
  password_changed: () => 'Password changed',
  recovery_codes_made: () => 'Recovery codes made',
  signed_out_everywhere: () => 'Signed out everywhere',
}

/** An event in words. A kind that this page does not know yet is told by its own name. */
export function describeEvent({ type, method, count = 1 }: AccountEvent): string {
  const sentence = sentences[type]
  return sentence ? sentence(method === null ? undefined : ways[method], count) : type.replaceAll('_', ' ')
}
