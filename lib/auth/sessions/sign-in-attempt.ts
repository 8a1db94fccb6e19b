import { isApiError } from '@/lib/api/errors'
import { type SignInUser, type UserWithEpoch, usernameKey } from '../account'
import { recordFailure } from '../events/record'
import { attributeRejections } from '../events/rejections'
import type { RequestContext } from '../request'
import {
  consumeAddressAttempt,
  consumeAttempt,
  endStreak,
  extendStreak,
  longestStreak,
  refundOnError,
  streakOfDevice,
  streakOfUsername,
} from '../throttling/attempts'
import { type Claims, rootOf } from '../tokens/claims'
import { readToken } from '../tokens/tokens'
import { continuedSession } from './find'

/** `unverified`: the password was not compared; `abandoned`: nor will it be, because the client has disconnected. */
type AttemptOutcome = 'success' | 'failure' | 'unverified' | 'abandoned'

interface PasswordAttempt {
  /** True if it counts for a known browser */
  isKnown: boolean
  /** Call it once, with the outcome. */
  settle(outcome: AttemptOutcome): Promise<unknown>
}

/** A browser whose attempts with a password are its own, whatever strangers try. */
interface KnownBrowser {
  /** The name of its bucket */
  name: string
  failuresInARow: number
}

/**
 * Counts an attempt before we verify its password, so that concurrent ones all count. A known browser has its own counters, so
 * that attackers cannot lock an owner out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 *
 * @param user the account that has the username
 * @param root the root of the account's session that reauthenticates, if any
 * @throws ApiError too_many_attempts
 */
export async function consumePasswordAttempt(
  username: string,
  { user, browser, root }: { user: SignInUser | null; browser: KnownBrowser | null; root: string | null },
  context: RequestContext,
): Promise<PasswordAttempt> {
  attributeRejections(context, { account: user?.id ?? null, username, method: 'pwd' })
  const counters = new Counters(() => user && recordFailure(user.id, 'locked_out', context, 'pwd'))
  const isKnown = browser !== null && (await countKnownBrowser(counters, browser))
  if (!isKnown) await countStranger(counters, username, context.address)
  // Counts unknown accounts, too: timing must not reveal which exist. No id has a slash, so no such key is an account's.
  const ofStranger = user?.id ?? `unknown/${usernameKey(username)}`
  const signsIn = root !== null ? `session/${root}` : isKnown ? `browser/${browser.name}` : ofStranger
  await counters.add(ofSignIns, () => consumeAttempt('sign-ins', signsIn))
  return {
    isKnown,
    async settle(outcome) {
      if (outcome === 'failure' && user) recordFailure(user.id, 'signin_failed', context, 'pwd')
      // An owner's success ends the other streak, too: strangers', or this browser's.
      const other = browser && (isKnown ? streakOfUsername(username) : streakOfDevice(browser.name))
      await Promise.all([counters.settle(outcome), outcome === 'success' && other && endStreak(other)])
    },
  }
}

/** @returns false after too many failures in a row: the browser then counts as unknown */
async function countKnownBrowser(counters: Counters, { name, failuresInARow }: KnownBrowser): Promise<boolean> {
  await counters.add(ofCredential, () => consumeAttempt('password-device', name), { locksOut: true })
  const streak = await counters.add(ofCredential, () => extendStreak(streakOfDevice(name)))
  if (streak.counter.count <= failuresInARow) return true
  await counters.settle('unverified')
  return false
}

async function countStranger(counters: Counters, username: string, address: string): Promise<void> {
  const key = usernameKey(username)
  // First, so that an address past its limit writes no rows for new usernames. That says nothing about this account.
  await counters.add(ofAddress, () => consumeAddressAttempt('address', address))
  const password = await counters.add(ofCredential, () => consumeAttempt('password', key), { locksOut: true })
  const streak = await counters.add(ofStrangers, () => extendStreak(streakOfUsername(username)))
  if (streak.counter.count <= longestStreak) return
  // After many failures in a row the limit is one of a day, which a success does not empty.
  password.rule = ofStrangers
  await counters.add(ofStrangers, () => consumeAttempt('password-day', key), { locksOut: true })
}

/** What becomes of a counted attempt. For a streak, `keep` extends its lifetime and `reset` ends it. */
type Settlement = 'keep' | 'refund' | 'reset'
type Rule = Record<Exclude<AttemptOutcome, 'unverified'>, Settlement>

/** Failures count, and abandoned requests, which would otherwise be free. */
const ofAddress: Rule = { success: 'refund', failure: 'keep', abandoned: 'keep' }
const ofCredential: Rule = { success: 'reset', failure: 'keep', abandoned: 'refund' }
/** A success does not end a streak: an owner who often uses new browsers would give a patient attacker new attempts. */
const ofStrangers: Rule = { success: 'refund', failure: 'keep', abandoned: 'refund' }
const ofSignIns: Rule = { success: 'keep', failure: 'refund', abandoned: 'refund' }

type Counter = Partial<Record<Settlement, () => Promise<unknown>>>

interface Counted<T> {
  readonly counter: T
  rule: Rule
}

/** All that counts one attempt, in the order in which it was added. */
class Counters {
  #counted: Counted<Counter>[] = []
  readonly #onLockOut: () => unknown

  constructor(onLockOut: () => unknown) {
    this.#onLockOut = onLockOut
  }

  /**
   * Counts the attempt once more. If that limit is reached, takes the attempt back from all before it.
   *
   * @param locksOut true if its limit locks the account's owner out, of which they learn
   */
  async add<T extends Counter>(rule: Rule, count: () => Promise<T>, { locksOut = false } = {}): Promise<Counted<T>> {
    const counter = await count().catch(async (error: unknown) => {
      if (locksOut && isApiError(error) && error.code === 'too_many_attempts') this.#onLockOut()
      await this.settle('unverified')
      throw error
    })
    const counted = { counter, rule }
    this.#counted.push(counted)
    return counted
  }

  async settle(outcome: AttemptOutcome): Promise<void> {
    const counted = this.#counted
    this.#counted = []
    const settlementOf = (rule: Rule) => (outcome === 'unverified' ? 'refund' : rule[outcome])
    // A limit's counter has no `keep`: what it counted stays by itself.
    await Promise.all(counted.map(({ counter, rule }) => counter[settlementOf(rule)]?.()))
  }
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

/** A thief of an earlier password may hold many device tokens of earlier epochs: each is worth this many guesses, once. */
const longestStreakOfEarlier = 10

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
