import { ApiError, type ErrorCode, isApiError } from '@/lib/api/errors'
import { readRows, type SqlRow, unflushed } from '@/lib/database/sql'
import { recorder } from '@/lib/process/recorder'
import { bestEffort } from '@/lib/process/work'
import { connectRedis, rateLimiter } from '@/lib/rate-limit/limiter'
import type { Attempt } from '@/lib/rate-limit/store'
import { keyedDigest } from '@/lib/settings/keys'
import { type Settings, settings } from '@/lib/settings/settings'
import { usernameKey } from '../account'
import { isWrongCredential, surroundingNetwork } from '../request'
import { dayMilliseconds, hourMilliseconds } from '../time'
import { type Claims, rootOf } from '../tokens/claims'

/*
 * What counts against a policy, and may say no. Which of these to take:
 *
 * - `limitWrites`, for a change that a signed-in person could repeat without end; `limitPasswordChanges` for that of the password;
 *   `consumeWrite`, where a change that fails counts, too.
 * - `limitFailures`, where only wrong credentials count and a right one always passes: passkeys and recovery codes. A password
 *   counts before we verify it, by `consumePasswordAttempt` (sessions/sign-in-attempt.ts).
 * - `consumeAddressAttempt`, for what strangers do: counts their address and the network around it.
 * - `consumeAttempt`, for any other policy, and `tryConsume` where a rejection must not show.
 * - `isPastLimit`, to look without counting.
 *
 * `refund` takes an attempt back; `refundOnError` does so if an action fails, `refundUnlessTaken` unless it fails at a taken username.
 */

type ConfiguredLimits = Settings['rateLimit']

const perPassword = ({ passwordMax }: ConfiguredLimits) => passwordMax
const perAddress = ({ addressMax }: ConfiguredLimits) => addressMax
/** An IPv6 /48 may be a whole site, or one customer with 65,536 addresses. */
const perNetwork = ({ addressMax }: ConfiguredLimits) => 10 * addressMax
/** Nobody needs this many, and they are too few for a valid credential to keep the server hashing and writing. */
const perOwner = ({ passwordMax }: ConfiguredLimits) => 12 * passwordMax
/** All sessions of an account together may write this often. */
const perAccount = ({ passwordMax }: ConfiguredLimits) => 5 * 12 * passwordMax

interface PolicyRow {
  max: (limits: ConfiguredLimits) => number
  windowMilliseconds?: number
  /** The name in telemetry, which is the same for an address and its network, since operators treat them alike */
  reportedAs: string
}

const policies = {
  /** Password attempts per username, from browsers that are not known to the account */
  password: { max: perPassword, reportedAs: 'password' },
  /** The same after a hundred failures in a row */
  'password-day': { max: perPassword, windowMilliseconds: dayMilliseconds, reportedAs: 'password' },
  /** Password attempts per known browser: its device token, or the root of its session */
  'password-device': { max: perPassword, reportedAs: 'password-device' },
  /**
   * Per address: failures of `password`, accounts created with one, verified registrations of new accounts, reports that a
   * username is taken, and wrong secrets of cron jobs and wrong keys of operators
   */
  address: { max: perAddress, reportedAs: 'address' },
  'address-48': { max: perNetwork, reportedAs: 'address' },
  /** Failed passkey verifications, per address */
  passkey: { max: perAddress, reportedAs: 'passkey' },
  'passkey-48': { max: perNetwork, reportedAs: 'passkey' },
  /** Wrong recovery codes, per address. No limit per username: 80 random bits need none, and it would lock owners out. */
  recovery: { max: perAddress, reportedAs: 'recovery-code' },
  'recovery-48': { max: perNetwork, reportedAs: 'recovery-code' },
  /** Wrong secrets of apps, per address and app */
  app: { max: perAddress, reportedAs: 'client' },
  'app-48': { max: perNetwork, reportedAs: 'client' },
  /**
   * Successful sign-ins, by the root of the session that reauthenticates, by passkey or by known browser; passwords in unknown
   * browsers and recovery codes by account and method. With one count for all, a thief of the password could keep the owner out
   * by signing in.
   */
  'sign-ins': { max: perOwner, reportedAs: 'sign-ins' },
  /**
   * Per root of a session, so that a thief's uses up nothing of the owner's: renames, password changes, new codes and dismissed
   * notices that succeed, and each verified registration of a passkey. Removals need no limit, since they run out.
   */
  'account-writes': { max: perOwner, reportedAs: 'account-writes' },
  /**
   * All of these but password changes, of all sessions of an account. Counts per epoch, so that it begins anew once a thief is
   * out.
   */
  'account-writes-all': { max: perAccount, reportedAs: 'account-writes' },
  /**
   * Per root of a session: display names, names of passkeys and answers to consent pages, which need a session alone. Apart from
   * the others, since a thief's copied session must not use up the changes by which the owner gets rid of the thief.
   */
  'session-writes': { max: perOwner, reportedAs: 'session-writes' },
  'session-writes-all': { max: perAccount, reportedAs: 'session-writes' },
  /** Revoked access tokens, per family of refresh tokens, which gives another one at each refresh */
  revocations: { max: perOwner, reportedAs: 'revocations' },
  /**
   * Letters that strangers can cause to an address which is not proved for the account: codes and invitations. Per address, in
   * lower case
   */
  'letters-address': { max: () => 3, windowMilliseconds: hourMilliseconds, reportedAs: 'letters' },
  'letters-address-day': { max: () => 10, windowMilliseconds: dayMilliseconds, reportedAs: 'letters' },
  /** The same per account and per network that asks for them */
  'letters-account': { max: () => 3, windowMilliseconds: hourMilliseconds, reportedAs: 'letters' },
  'letters-network': { max: () => 20, windowMilliseconds: hourMilliseconds, reportedAs: 'letters' },
  /** Invitations by letter, per administrator or key */
  'letters-sender': { max: () => 100, windowMilliseconds: dayMilliseconds, reportedAs: 'letters' },
  /** Letters about an account to its own address, per kind: more of an hour come as one, and none is dropped */
  'letters-own': { max: () => 3, windowMilliseconds: hourMilliseconds, reportedAs: 'letters' },
  /**
   * Letters that open a recovery, per account, and per account and network (IPv4 /24, IPv6 /48), for browsers that the account does
   * not know; and per browser that it knows, so that strangers use up nothing of the owner's
   */
  'recovery-letters': { max: () => 5, windowMilliseconds: dayMilliseconds, reportedAs: 'letters' },
  'recovery-letters-network': { max: () => 2, windowMilliseconds: dayMilliseconds, reportedAs: 'letters' },
  'recovery-letters-browser': { max: () => 5, windowMilliseconds: dayMilliseconds, reportedAs: 'letters' },
  /** Codes that are tried, per account and per address over all accounts: a code has a million values */
  'email-codes': { max: () => 15, windowMilliseconds: dayMilliseconds, reportedAs: 'email-codes' },
  'email-codes-address': { max: () => 25, windowMilliseconds: dayMilliseconds, reportedAs: 'email-codes' },
  /** Calls of `/api/deliver` by anybody, over all addresses */
  'cron-rounds': { max: () => 1, windowMilliseconds: hourMilliseconds, reportedAs: 'cron-rounds' },
  /** Codes of devices that are typed wrongly, per account and per network: a code has 2.5e10 values, and lives ten minutes */
  'user-codes': { max: () => 10, windowMilliseconds: hourMilliseconds, reportedAs: 'user-codes' },
  /** Codes that devices ask for, each a row, per network and app */
  'device-requests': { max: () => 100, windowMilliseconds: hourMilliseconds, reportedAs: 'device-requests' },
  /** Documents of clients that are fetched, per host that has them, and per network that asks */
  'client-documents': { max: () => 120, windowMilliseconds: hourMilliseconds, reportedAs: 'client-documents' },
  'client-documents-network': { max: () => 120, windowMilliseconds: hourMilliseconds, reportedAs: 'client-documents' },
  /** Those that could not be fetched or read, per URL */
  'client-document-failures': { max: () => 3, windowMilliseconds: 300_000, reportedAs: 'client-documents' },
  /** Requests of an operator's key, so that one that loops, or is stolen, leaves the server to others */
  'operator-key': { max: () => 3_000, reportedAs: 'operator-key' },
} satisfies Record<string, PolicyRow>

type Policy = keyof typeof policies

/** Decides and counts in one step, so that concurrent attempts all count. Call it before you verify a password. */
export async function consumeAttempt(policy: Policy, subject: string): Promise<Pick<Attempt, 'refund' | 'reset'>> {
  const attempt = await limiterFor(policy).consume(subjectDigest(subject))
  if (attempt.success)
    return { refund: () => bestEffortWrite(attempt.refund), reset: () => bestEffortWrite(attempt.reset) }
  recorder()?.count('latchkey.throttled', { policy: policies[policy].reportedAs })
  throw tooManyAttempts(await attempt.retryAt())
}

/** The same with an answer in place of the error, where a limit must not show. @returns false past the limit, uncounted */
export async function tryConsume(policy: Policy, subject: string): Promise<boolean> {
  // A command has not connected at its start, since few need to.
  await connectRedis()
  const { success } = await limiterFor(policy).consume(subjectDigest(subject))
  return success
}

function limiterFor(policy: Policy) {
  const { rateLimit } = settings()
  const { max, windowMilliseconds = rateLimit.windowMilliseconds }: PolicyRow = policies[policy]
  return rateLimiter({ name: policy, max: max(rateLimit), windowMilliseconds })
}

export const subjectDigest = (subject: string) => keyedDigest('latchkey/rate-limit', subject)

const tooManyAttempts = (retryAt: number) => {
  const retryAfter = Math.max(1, Math.ceil((retryAt - Date.now()) / 1000))
  return new ApiError('too_many_attempts', { retryAfter })
}

interface Refundable {
  refund(): Promise<unknown>
}

type AddressPolicy = 'address' | 'passkey' | 'recovery' | 'app'

/**
 * Counts the IPv6 /48 first: one past its limit writes no rows for new addresses.
 *
 * @param subjectOf the text to count for each
 */
export async function consumeAddressAttempt(
  policy: AddressPolicy,
  address: string,
  subjectOf = (place: string) => place,
): Promise<Refundable> {
  const network = surroundingNetwork(address)
  const surrounding = network === null ? null : await consumeAttempt(`${policy}-48`, subjectOf(network))
  const attempt = await refundOnError(surrounding, () => consumeAttempt(policy, subjectOf(address)))
  return { refund: () => Promise.all([surrounding?.refund(), attempt.refund()]) }
}

/** True if the limit would reject the address's next attempt. Counts nothing. */
export async function isPastLimit(policy: AddressPolicy, address: string): Promise<boolean> {
  const network = surroundingNetwork(address)
  const waits = await Promise.all([
    network !== null && limiterFor(`${policy}-48`).retryAt(subjectDigest(network)),
    limiterFor(policy).retryAt(subjectDigest(address)),
  ])
  return waits.some((retryAt) => retryAt !== false && retryAt > Date.now())
}

/** @param kept the codes of errors after which the attempt stays counted */
export function refundOnError<T>(
  counted: Refundable | null,
  action: () => Promise<T>,
  ...kept: ErrorCode[]
): Promise<T> {
  return action().catch(async (error: unknown) => {
    if (!isApiError(error) || !kept.includes(error.code)) await counted?.refund()
    throw error
  })
}

/** Refunds an attempt to create an account, unless the username is taken: the limit keeps people from trying out usernames. */
export const refundUnlessTaken = <T>(counted: Refundable, claim: () => Promise<T>): Promise<T> =>
  refundOnError(counted, claim, 'username_taken')

/**
 * Counts failures afterwards: past the limit a failure gets `too_many_attempts`, a right credential never. Do not use it for
 * passwords, whose attempts count before we verify them.
 *
 * @param onFailure writes about a failure within the limit; past it, a stranger's requests would write without end
 */
export async function limitFailures<T>(
  policy: 'passkey' | 'recovery',
  address: string,
  verify: () => Promise<T>,
  onFailure: (error: ApiError) => unknown,
): Promise<T> {
  return verify().catch(async (error: unknown) => {
    if (isApiError(error) && isWrongCredential(error)) {
      await consumeAddressAttempt(policy, address)
      await onFailure(error)
    }
    throw error
  })
}

type Writes = 'account-writes' | 'session-writes'

/**
 * Counts a write for the session, and for its account. Counts by root, so that a thief's session uses up nothing of the
 * owner's.
 *
 * @param policy `account-writes` for writes that need a step-up, `session-writes` for writes that need a session alone
 */
export async function consumeWrite(policy: Writes, claims: Claims<'session'>): Promise<Refundable> {
  const ofSession = await consumeAttempt(policy, rootOf(claims))
  const ofAccount = await refundOnError(ofSession, () =>
    consumeAttempt(`${policy}-all`, `${claims.sub}/${claims.epoch}`),
  )
  return { refund: () => Promise.all([ofSession.refund(), ofAccount.refund()]) }
}

/** Limits a write that somebody could repeat without end. */
export async function limitWrites<T>(
  policy: Writes,
  { claims }: { claims: Claims<'session'> },
  write: () => Promise<T>,
): Promise<T> {
  return refundOnError(await consumeWrite(policy, claims), write)
}

/**
 * Limits changes of the password by the session's root alone, apart from the account's other writes: a thief with many sessions
 * must not keep the owner from the change that ends them.
 */
export async function limitPasswordChanges<T>(
  { claims }: { claims: Claims<'session'> },
  change: () => Promise<T>,
): Promise<T> {
  // Counts a password that we refuse: it takes milliseconds to tell that one is common.
  return refundOnError(await consumeAttempt('account-writes', rootOf(claims)), change, 'invalid_request')
}

/**
 * Writes after the outcome, such as a refund. Never throws, since that would lose a committed success, or a rejection's reason.
 * An attempt without its refund only makes the limit stricter.
 */
export const bestEffortWrite = (write: () => Promise<unknown>) => bestEffort(write, 'could not settle an attempt')

/* Streaks: failures in a row, which only a success ends, and no window of time. */

/** NIST SP 800-63B-4 section 3.2.2 allows at most this many failures in a row. */
export const longestStreak = 100
const keptMilliseconds = 90 * dayMilliseconds

/** From unknown browsers, whether or not the account exists. */
export const streakOfUsername = (username: string) => subjectDigest(`streak/username/${usernameKey(username)}`)

export const streakOfDevice = (device: string) => subjectDigest(`streak/device/${device}`)

interface StreakAttempt {
  /** Attempts in a row that failed or are pending, this one included. */
  count: number
  /** Takes back an attempt that did not happen, or that succeeded without ending the streak. */
  refund(): Promise<void>
  keep(): Promise<void>
  reset(): Promise<void>
}

/** Counts before the attempt, in one statement: no more concurrent attempts than the limit get through. */
export async function extendStreak(key: string): Promise<StreakAttempt> {
  const now = BigInt(Date.now())
  const [row] = await unflushed.rows<SqlRow<'FailureStreak', 'count'>>`
    INSERT INTO "FailureStreak" ("key", "count", "expiresAt") VALUES (${key}, 1, ${expiry()})
    ON CONFLICT ("key") DO UPDATE SET
      "count" = CASE WHEN "FailureStreak"."expiresAt" > ${now} THEN "FailureStreak"."count" + 1 ELSE 1 END,
      "expiresAt" = CASE WHEN "FailureStreak"."expiresAt" > ${now} THEN "FailureStreak"."expiresAt"
                         ELSE excluded."expiresAt" END
    RETURNING "count"`
  return {
    count: row?.count ?? Number.NaN,
    // Lets a row without failures expire at once.
    refund: () =>
      bestEffortWrite(
        () => unflushed.changes`
          UPDATE "FailureStreak" SET "count" = "count" - 1,
            "expiresAt" = CASE WHEN "count" > 1 THEN "expiresAt" ELSE 0 END
          WHERE "key" = ${key} AND "count" >= 1`,
      ),
    keep: () =>
      bestEffortWrite(
        () => unflushed.changes`UPDATE "FailureStreak" SET "expiresAt" = ${expiry()} WHERE "key" = ${key}`,
      ),
    reset: () => endStreak(key),
  }
}

export async function readStreak(key: string): Promise<number> {
  const [row] = await readRows<SqlRow<'FailureStreak', 'count'>>`
    SELECT s."count" FROM "FailureStreak" s WHERE s."key" = ${key} AND s."expiresAt" > ${BigInt(Date.now())}`
  return row?.count ?? 0
}

/** Ends a streak. Call it when the owner has signed in: from a known browser, with a passkey or with a recovery code. */
export const endStreak = (key: string): Promise<void> =>
  bestEffortWrite(() => unflushed.changes`DELETE FROM "FailureStreak" WHERE "key" = ${key}`)

const expiry = () => BigInt(Date.now() + keptMilliseconds)
