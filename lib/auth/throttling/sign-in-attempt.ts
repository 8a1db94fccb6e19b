import { isApiError } from '@/lib/api/errors'
import { type SignInUser, type UserWithEpoch, usernameKey } from '../accounts/account'
import { recordFailure } from '../audit/events'
import { attributeRejections } from '../audit/rejections'
import type { RequestContext } from '../request'
import { continuedSession } from '../sessions/find'
import { type Claims, rootOf } from '../tokens/claims'
import { readToken } from '../tokens/tokens'
import { consumeAddressAttempt, consumeAttempt, refundOnError } from './attempts'
import { endStreak, extendStreak, longestStreak, streakOfDevice, streakOfUsername } from './streaks'

/** `unverified`: the password was not compared; `abandoned`: nor will it be, because the client has disconnected. */
type AttemptOutcome = 'success' | 'failure' | 'unverified' | 'abandoned'

/** What becomes of a counted attempt. For a streak, `keep` extends its lifetime and `reset` ends it. */
type Settlement = 'keep' | 'refund' | 'reset'
type Rule = Record<Exclude<AttemptOutcome, 'unverified'>, Settlement>

/** Failures count, and abandoned requests, which would otherwise be free. */
const ofAddress: Rule = { success: 'refund', failure: 'keep', abandoned: 'keep' }
const ofCredential: Rule = { success: 'reset', failure: 'keep', abandoned: 'refund' }
/** A success does not end a streak: an owner who often uses new browsers would give a patient attacker new attempts. */
const ofStrangers: Rule = { success: 'refund', failure: 'keep', abandoned: 'refund' }
const ofSignIns: Rule = { success: 'keep', failure: 'refund', abandoned: 'refund' }

/** A browser whose attempts with a password are its own, whatever strangers try. */
interface KnownBrowser {
  /** The name of its bucket */
  name: string
  failuresInARow: number
}

/**
 * Counts an attempt before we verify its password, so that concurrent ones all count. A known browser has its own bucket, so
 * that attackers cannot lock an owner out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 *
 * @param user the account that has the username
 * @param root the root of the account's session that reauthenticates, if any
 * @returns a flag for a known browser's attempt, and a function to call once, with the outcome
 */
export async function consumePasswordAttempt(
  username: string,
  { user, browser, root }: { user: SignInUser | null; browser: KnownBrowser | null; root: string | null },
  context: RequestContext,
): Promise<{ isKnown: boolean; settle: (outcome: AttemptOutcome) => Promise<unknown> }> {
  attributeRejections(context, { account: user?.id ?? null, username, method: 'pwd' })
  const known = browser === null ? null : await consumeAsKnownBrowser(browser, user, context)
  const attempt = known ?? (await consumeAsUnknownBrowser(username, user, context))
  // Counts unknown accounts, too: timing must not reveal which exist. No id has a slash, so no such key is an account's.
  const ofStranger = user?.id ?? `unknown/${usernameKey(username)}`
  const signsIn = root !== null ? `session/${root}` : known && browser ? `browser/${browser.name}` : ofStranger
  await attempt.consume(consumeAttempt('sign-ins', signsIn), ofSignIns)
  const settle = async (outcome: AttemptOutcome) => {
    if (outcome === 'failure' && user) recordFailure(user.id, 'signin_failed', context, 'pwd')
    const streak = browser !== null && (known ? streakOfUsername(username) : streakOfDevice(browser.name))
    await Promise.all([attempt.settle(outcome), outcome === 'success' && streak && endStreak(streak)])
  }
  return { isKnown: known !== null, settle }
}

interface OwnersSignIn {
  user: UserWithEpoch & { usernameKey: string }
  /** The passkey, or that it is a recovery code: its successful sign-ins count for this */
  credential: string
  context: RequestContext
}

/**
 * Signs in by a passkey or a recovery code, which only the owner has: within its limit of sign-ins, opens the session and ends
 * the streak of unknown browsers.
 */
export async function signInAsOwner<T>(
  { user, credential, context }: OwnersSignIn,
  open: () => Promise<T>,
): Promise<T> {
  const shown = context.session === null ? null : await readToken('session', context.session)
  const session = await continuedSession(user, shown)
  const attempt = await consumeAttempt('sign-ins', session ? `session/${rootOf(session)}` : credential)
  // Counts a valid credential of a disabled account, too: otherwise somebody could try it without limit.
  const opened = await refundOnError(attempt, open, 'account_disabled')
  await endStreak(streakOfUsername(user.usernameKey))
  return opened
}

/**
 * The browser that has signed in to the account before, or has a session of it: a program's has no device token. Null for any
 * other.
 */
export function knownBrowser(
  user: SignInUser | null,
  device: Claims<'device'> | null,
  root: string | null,
): KnownBrowser | null {
  if (user !== null && device?.sub === user.id) {
    const isOfEpoch = device.epoch === user.sessionEpoch
    return { name: device.jti, failuresInARow: isOfEpoch ? longestStreak : longestStreakOfEarlier }
  }
  return root === null ? null : { name: `session/${root}`, failuresInARow: longestStreak }
}

/** A thief of an earlier password may hold many device tokens of earlier epochs: each is worth so many guesses, once. */
const longestStreakOfEarlier = 10

/** @returns null after too many failures in a row: the browser then counts as unknown */
async function consumeAsKnownBrowser(
  browser: KnownBrowser,
  user: SignInUser | null,
  context: RequestContext,
): Promise<CountedAttempt | null> {
  const attempt = new CountedAttempt()
  await attempt.consume(reportLockOut(user, context, consumeAttempt('password-device', browser.name)), ofCredential)
  const streak = await attempt.consume(extendStreak(streakOfDevice(browser.name)), ofCredential)
  if (streak.counter.count <= browser.failuresInARow) return attempt
  await attempt.settle('unverified')
  return null
}

/** The address first: one past its limit writes no rows for new usernames. */
async function consumeAsUnknownBrowser(
  username: string,
  user: SignInUser | null,
  context: RequestContext,
): Promise<CountedAttempt> {
  const attempt = new CountedAttempt()
  await attempt.consume(consumeAddressAttempt('address', context.address), ofAddress)
  await reportLockOut(user, context, consumeForUsername(attempt, username))
  return attempt
}

async function consumeForUsername(attempt: CountedAttempt, username: string): Promise<void> {
  const key = usernameKey(username)
  const password = await attempt.consume(consumeAttempt('password', key), ofCredential)
  const streak = await attempt.consume(extendStreak(streakOfUsername(username)), ofStrangers)
  if (streak.counter.count <= longestStreak) return
  password.rule = ofStrangers
  await attempt.consume(consumeAttempt('password-day', key), ofStrangers)
}

/** Reports an account's lock-out; not if the address is past its limit, which says nothing about this account. */
function reportLockOut<T>(user: SignInUser | null, context: RequestContext, consuming: Promise<T>): Promise<T> {
  return consuming.catch((error: unknown) => {
    if (user && isApiError(error) && error.code === 'too_many_attempts') {
      recordFailure(user.id, 'locked_out', context, 'pwd')
    }
    throw error
  })
}

type Counter = Partial<Record<Settlement, () => Promise<unknown>>>

interface Counted<T> {
  readonly counter: T
  rule: Rule
}

class CountedAttempt {
  readonly #counted: Counted<Counter>[] = []

  /** Counts one more limit; refunds all others if this one is reached. */
  async consume<T extends Counter>(consuming: Promise<T>, rule: Rule): Promise<Counted<T>> {
    const counter = await consuming.catch(async (error: unknown) => {
      await this.settle('unverified')
      throw error
    })
    const counted = { counter, rule }
    this.#counted.push(counted)
    return counted
  }

  async settle(outcome: AttemptOutcome): Promise<void> {
    const settlementOf = (rule: Rule) => (outcome === 'unverified' ? 'refund' : rule[outcome])
    await Promise.all(this.#counted.map(({ counter, rule }) => counter[settlementOf(rule)]?.()))
  }
}
