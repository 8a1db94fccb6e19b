import { createHash, randomBytes } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import type { recoverySignInInput } from '@/lib/api/schemas'
import { database } from '@/lib/database/client'
import { findUserForSignIn, type SignInUser } from '../account'
import { recordEvent, recordFailure } from '../events/record'
import { attributeRejections, countSignInOutcome } from '../events/rejections'
import type { Parsed, RequestContext } from '../request'
import { endOfRecoveryCodes } from '../sessions/end'
import { type OpenedSession, openSession } from '../sessions/issue'
import { hasEndedOfAccount } from '../sessions/reached-apps'
import { signInAsOwner } from '../sessions/sign-in-attempt'
import type { StepUp } from '../sessions/step-up'
import { asStepUp, type PrivilegedWriter, writeWithLogouts } from '../sessions/write'
import { limitFailures, limitWrites } from '../throttling/attempts'
import { hourMilliseconds, isoOfMilliseconds } from '../time'
import { type Claims, rootOf } from '../tokens/claims'

/** @returns ten codes, of which only digests are stored */
export async function createRecoveryCodes({ stepUp, context }: { stepUp: StepUp; context: RequestContext }) {
  stepUp.requireForWaysIn()
  const { user, claims } = stepUp.session
  const codes = await limitWrites('account-writes', stepUp.session, () =>
    replaceCodesOfUser(asStepUp(stepUp), user.id, claims),
  )
  await recordEvent(user.id, 'recovery_codes_made', context, { session: claims })
  return { codes }
}

/** @param session the one that stays if an old code opened it */
async function replaceCodesOfUser(
  write: PrivilegedWriter,
  userId: string,
  session: Claims<'session'>,
): Promise<string[]> {
  const codes = Array.from({ length: limits.recoveryCodes }, () => newRecoveryCode(userId))
  const rows = codes.map(({ hash }) => ({ hash, rootId: rootOf(session) }))
  await replaceCodes(write, { userId, rows, sid: session.jti })
  return codes.map(({ text }) => text)
}

const operatorsCodeMilliseconds = 72 * hourMilliseconds

/**
 * One code that ends by itself: whoever hands it on has seen it (ASVS 5.0, V6.4.1). Its person makes ten of their own with it.
 *
 * @param madeBy the administrator with whose rights it ends
 */
export async function replaceCodesByOne(
  write: PrivilegedWriter,
  userId: string,
  madeBy: string | null,
): Promise<{ code: string; expiresAt: string }> {
  const { text, hash } = newRecoveryCode(userId)
  const expiresAt = Date.now() + operatorsCodeMilliseconds
  await replaceCodes(write, { userId, rows: [{ hash, expiresAt: BigInt(expiresAt), madeBy }], sid: '' })
  return { code: text, expiresAt: isoOfMilliseconds(expiresAt) }
}

interface Replacement {
  userId: string
  rows: { hash: string; rootId?: string; expiresAt?: bigint; madeBy?: string | null }[]
  /** The session that stays */
  sid: string
}

const replaceCodes = (write: PrivilegedWriter, { userId, rows, sid }: Replacement) =>
  writeWithLogouts(write, hasEndedOfAccount(userId), (db) => ({
    oldCodes: db.recoveryCode.deleteMany({ where: { userId } }),
    newCodes: db.recoveryCode.createMany({ data: rows.map((row) => ({ ...row, userId })) }),
    user: db.user.updateMany({ where: { id: userId }, data: { recoveryCodesMadeAt: new Date() } }),
    // Whoever had the old codes may have signed in with one.
    ...endOfRecoveryCodes(db, userId, sid),
  }))

/** Which codes are still good, for Prisma; in SQL: lib/auth/sessions/find.ts. */
export const isUnexpired = () => ({ OR: [{ expiresAt: null }, { expiresAt: { gt: BigInt(Date.now()) } }] })

/** 80 random bits: four hyphenated groups of four characters, which fit on one line of a phone and of a slip of paper. */
const codeCharacters = 16
/** Crockford's base32, without I, L, O and U. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

function newRecoveryCode(userId: string): { text: string; hash: string } {
  const code = Array.from(randomBytes(codeCharacters), (byte) => alphabet[byte % 32]).join('')
  return { text: (code.match(/.{4}/g) ?? []).join('-'), hash: digest(code, userId) }
}

/**
 * Covers the account's id, since 80 bits alone could be tried for all accounts of a stolen table at once. This way its thief
 * needs 2^80 tries, divided by ten codes, for each account.
 */
const digest = (code: string, userId: string) => sha256(`${userId} ${code}`)

/**
 * Digests a code as a person types or pastes it: in any width and case, between dashes, quotes and what else an editor makes of it.
 * O, I and L are read as the digits they resemble.
 */
function hashOfTyped(typed: string, userId: string): string {
  const code = typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
  // Codes on paper live for years. Those of before have 120 bits in 24 characters of RFC 4648's base32, and a digest of themselves.
  if (code.length === 24) return sha256(code.replaceAll('0', 'O').replaceAll('1', 'I').replaceAll('8', 'B'))
  return digest(code.replaceAll('O', '0').replace(/[IL]/g, '1'), userId)
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')

export async function signInWithRecoveryCode({
  body: { username, code },
  context,
}: Parsed<typeof recoverySignInInput>): Promise<OpenedSession> {
  return countSignInOutcome('recovery', context, async () => {
    const user = await findUserForSignIn(username)
    attributeRejections(context, { account: user?.id ?? null, username, method: 'recovery' })
    const codeHash = hashOfTyped(code, user?.id ?? '')
    const signIn = async () => {
      const { owner, isByOperator } = await requireCode(user, codeHash)
      const credential = `recovery/${owner.id}`
      return signInAsOwner({ user: owner, credential, context }, () =>
        openSession(owner, { method: 'recovery', codeHash, isByOperator }, context),
      )
    }
    const reportFailure = () => user && recordFailure(user.id, 'signin_failed', context, 'recovery')
    return limitFailures('recovery', context.address, signIn, reportFailure)
  })
}

/** Does not consume the code, so that an account past its limit of sign-ins keeps it. */
async function requireCode(user: SignInUser | null, hash: string) {
  const db = await database()
  // The same statement for unknown users: timing must not reveal which accounts exist.
  const code = await db.recoveryCode.findFirst({ where: { hash, userId: user?.id ?? '', ...isUnexpired() } })
  // Only a code that an operator made belongs to no session.
  if (user && code) return { owner: user, isByOperator: code.rootId === null }
  throw new ApiError('authentication_failed')
}
