import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import type { requestEmailInput, verifyEmailInput } from '@/lib/api/schemas'
import type { Database } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { flushed, readRows, type SqlRow, sql, statement } from '@/lib/database/sql'
import { deliverLetters, enqueueLetter } from '@/lib/delivery/letters'
import { jsonOf } from '@/lib/delivery/outbox'
import { derivedKeys } from '@/lib/settings/keys'
import { settings } from '@/lib/settings/settings'
import { emailKey, publicUser } from '../account'
import { letterLocale, recipientOf, writeToFormer } from '../events/letters'
import { recordEvent } from '../events/record'
import { announce, deliverWebhooks } from '../events/webhooks'
import type { Parsed, RequestContext } from '../request'
import { endOfRecoveries, recordStop } from '../sessions/end'
import type { Session } from '../sessions/find'
import type { StepUp } from '../sessions/step-up'
import { asSession, asStepUp, type Writer } from '../sessions/write'
import { limitWrites, tryConsume } from '../throttling/attempts'
import { isoOfMilliseconds, minuteMilliseconds } from '../time'
import { rootOf } from '../tokens/claims'
import { emailIdentifier } from './identifiers'

const codeMilliseconds = 10 * minuteMilliseconds
/** Five tries guess one of 1,000,000 codes in 1 of 200,000 cases. */
const maxTries = 5

/** Hides what needs letters where there are none. */
function requireMail(): void {
  if (!settings().mail) throw new ApiError('not_found')
}

/**
 * Sends a code to an address. The answer, the work and so the time are the same for one that another account has, whose owner gets
 * a letter that says so, and for one that a limit keeps from getting any: nobody learns here who has an account.
 */
export async function requestEmail({
  body: { email },
  stepUp,
  context,
}: Parsed<typeof requestEmailInput> & { stepUp: StepUp }) {
  requireMail()
  // A thief of an administrator's password must not redirect the letters that tell of the theft.
  stepUp.requireForWaysIn()
  const { user, claims } = stepUp.session
  const now = Date.now()
  const expiresAt = now + codeMilliseconds
  await limitWrites('account-writes', stepUp.session, async () => {
    const [isTaken, isSent] = await Promise.all([isOfAnother(email, user.id), mayWrite(email, user.id, context)])
    const code = randomInt(1_000_000).toString().padStart(6, '0')
    // For a taken address, a value that no code has, so that both are verified alike. Without a letter there is nothing to try.
    const provable = isTaken ? randomBytes(16).toString('hex') : code
    const digest = isSent ? digestOfCode(provable, user.id, email) : null
    const to = { to: email, locale: letterLocale(context.language), at: now }
    const letter = isTaken ? ({ kind: 'taken', ...to } as const) : ({ kind: 'code', ...to, code } as const)
    await asStepUp(stepUp)((db) => ({
      code: replaceCode(db, { userId: user.id, rootId: rootOf(claims), email, digest, expiresAt }),
      // The letter about a taken address belongs to that address's owner, not to this account.
      letter: isSent ? enqueueLetter(db, letter, { account: user.id, expiresAt }) : undefined,
    }))
  })
  deliverLetters()
  return { expiresAt: isoOfMilliseconds(expiresAt) }
}

/** True if another account has this address, or has it as a username. */
const isOfAnother = async (email: string, id: string) =>
  (await readRows`SELECT 1 AS "found" FROM "Identifier" i WHERE i."key" = ${emailKey(email)} AND i."userId" <> ${id}`)
    .length > 0

/** Counts a letter. The account's own limits come first, so that somebody past them uses up nothing of the address's owner. */
const mayWrite = async (email: string, id: string, { address }: RequestContext) =>
  (await tryConsume('letters-account', id)) && (await tryConsume('letters-network', address)) && mayWriteTo(email)

/** The same for the address alone: true if it may get one more letter that somebody else has caused. */
const mayWriteTo = async (email: string): Promise<boolean> =>
  (await tryConsume('letters-address', emailKey(email))) && tryConsume('letters-address-day', emailKey(email))

interface CodeRow {
  userId: string
  rootId: string
  email: string
  digest: string | null
  expiresAt: number
}

/** Ends the earlier code. */
const replaceCode = (db: Database, { userId, rootId, email, digest, expiresAt }: CodeRow) =>
  statement(db)`
    INSERT INTO "EmailCode" ("userId", "rootId", "email", "digest", "tries", "expiresAt")
    VALUES (${userId}, ${rootId}, ${email}, ${digest}, 0, ${BigInt(expiresAt)})
    ON CONFLICT ("userId") DO UPDATE SET "rootId" = excluded."rootId", "email" = excluded."email",
      "digest" = excluded."digest", "tries" = 0, "expiresAt" = excluded."expiresAt"`

/** Keyed, because a million values are soon tried. */
function digestOfCode(code: string, userId: string, email: string): string {
  const [key] = derivedKeys('latchkey/email-code')
  return createHmac('sha256', key)
    .update(JSON.stringify([userId, email, code]))
    .digest('base64url')
}

/**
 * Gives the account the address whose code it shows.
 *
 * @throws ApiError authentication_failed for a code that is wrong, used or expired, past the limits of tries, and for the loser of
 *   a race for one address
 */
export async function verifyEmail({
  body: { code },
  session,
  context,
}: Parsed<typeof verifyEmailInput> & { session: Session }) {
  requireMail()
  const { user, claims } = session
  const shown = await takeTry(user.id, rootOf(claims))
  const counts = shown !== null && (await countTries(user.id, shown))
  const digest = digestOfCode(code.replace(/\s/g, ''), user.id, shown?.email ?? '')
  if (!counts || shown.digest === null || !isSame(digest, shown.digest) || !(await consume(user.id, digest)))
    throw new ApiError('authentication_failed')
  const former = await recipientOf(user.id)
  const isChanged = await setOwnEmail(asSession(claims), user.id, shown.email, context).catch((cause: unknown) => {
    // Write and catch: the unique key admits one of several accounts that have proved one address.
    throw isConflict(cause) ? new ApiError('authentication_failed', { cause }) : cause
  })
  deliverWebhooks()
  if (isChanged) {
    await recordEvent(user.id, 'email_changed', context, { session: claims })
    await writeToFormer(former, 'email_removed', { origin: context, method: null })
  }
  return { user: publicUser(user) }
}

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

type Shown = SqlRow<'EmailCode', 'email' | 'digest'>

/** Counts the try before the comparison, so that concurrent ones all count. Null once there were too many. */
async function takeTry(userId: string, rootId: string): Promise<Shown | null> {
  const [row] = await flushed.rows<Shown>`
    UPDATE "EmailCode" SET "tries" = "tries" + 1
    WHERE "userId" = ${userId} AND "rootId" = ${rootId} AND "tries" < ${maxTries} AND "expiresAt" > ${BigInt(Date.now())}
    RETURNING "email", "digest"`
  return row ?? null
}

/**
 * Right codes count, too: one who has them needs few. Without a letter there is no right one, and the try costs the address
 * nothing: others could use up its tries unseen.
 */
const countTries = async (userId: string, { email, digest }: Shown) =>
  (await tryConsume('email-codes', userId)) &&
  (digest === null || (await tryConsume('email-codes-address', emailKey(email))))

/** One statement, so that of two equal requests one succeeds. */
const consume = async (userId: string, digest: string) =>
  (await flushed.changes`DELETE FROM "EmailCode" WHERE "userId" = ${userId} AND "digest" = ${digest}`) === 1

/** Sets, changes or removes the address, and stops what waits by the former. @returns false if it was so already */
async function setOwnEmail(write: Writer, id: string, email: string | null, context: RequestContext): Promise<boolean> {
  const isOther = sql`u."email" IS DISTINCT FROM ${email}`
  const changed = sql`u."id" = ${id} AND ${isOther}`
  const now = email === null ? null : BigInt(Date.now())
  const { updated, stopped } = await write((db) => ({
    announcement: announce(db, 'email.changed', changed, { email: jsonOf(email) }),
    ...endOfRecoveries(db, sql`SELECT u."id" FROM "User" u WHERE ${changed}`),
    updated: statement(db)`UPDATE "User" AS u SET "email" = ${email}, "emailProvedAt" = ${now} WHERE ${changed}`,
    // The person may prove now an address that an operator has set. An earlier proof counts from when it was given.
    proved: statement(db)`UPDATE "User" SET "emailProvedAt" = ${now} WHERE "id" = ${id} AND "emailProvedAt" IS NULL`,
    identifier: emailIdentifier(db, id, email === null ? null : emailKey(email)),
    codes: email === null ? db.emailCode.deleteMany({ where: { userId: id } }) : undefined,
  }))
  await recordStop(stopped, id, context)
  return updated === 1
}

/** Also without letters: an address that a person no longer wants must go. */
export async function removeEmail({ stepUp, context }: { stepUp: StepUp; context: RequestContext }): Promise<void> {
  stepUp.requireForWaysIn()
  const { user, claims } = stepUp.session
  const former = await recipientOf(user.id)
  const isChanged = await setOwnEmail(asStepUp(stepUp), user.id, null, context)
  deliverWebhooks()
  if (!isChanged) return
  await recordEvent(user.id, 'email_changed', context, { session: claims })
  await writeToFormer(former, 'email_removed', { origin: context, method: null })
}
