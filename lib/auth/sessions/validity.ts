import { type Fragment, sql } from '@/lib/database/sql'
import { isUnconsumed } from '../tokens/consumed-tokens'

/* When a session is valid, in SQL: the one rule of everything that reads sessions. */

/** A session's identity and credential, as columns or values. */
interface Terms {
  id: Fragment | string
  epoch: Fragment | number
  passkeyId: Fragment | string | null
}

/**
 * A condition: a sign-in in this epoch, with this passkey if any, still counts, because "User" as `u` has that epoch and that
 * passkey, and is not disabled.
 */
export const stillStands = ({ epoch, passkeyId }: Omit<Terms, 'id'>): Fragment => sql`
  u."sessionEpoch" = ${epoch} AND NOT u."disabled" AND (CAST(${passkeyId} AS TEXT) IS NULL
    OR EXISTS (SELECT 1 FROM "Passkey" k WHERE k."id" = ${passkeyId} AND k."userId" = u."id"))`

/**
 * A condition: a session of "User" as `u` is valid, apart from its expiry. Everything that reads sessions uses this one rule.
 */
export const isValid = ({ id, ...terms }: Terms): Fragment => sql`${stillStands(terms)} AND ${isUnconsumed(id)}`

const ownColumns: Terms = { id: sql`s."id"`, epoch: sql`s."epoch"`, passkeyId: sql`s."passkeyId"` }

/** A condition: the transaction has inserted the record of session `sid`. */
export const isInserted = (sid: string): Fragment => sql`EXISTS (SELECT 1 FROM "Session" s WHERE s."id" = ${sid})`

/** Joins "Session" as `s` to "User" as `u`, where the session is the account's, valid and not expired. */
export const isValidRow = (): Fragment => sql`s."userId" = u."id" AND ${isLiveRow()}`

const isLiveRow = (): Fragment => sql`s."expiresAt" > ${BigInt(Date.now())} AND ${isValid(ownColumns)}`

/**
 * The same for the sessions of these roots. The concatenation keeps the database from choosing the index of an account's
 * sessions, by which it would read all of them.
 */
export const isValidRowOf = (roots: Fragment): Fragment => sql`
  (s."id" IN (${roots}) OR s."rootId" IN (${roots})) AND s."userId" || '' = u."id" AND ${isLiveRow()}`

/** A condition: "User" as `u` has a valid session of this root. */
export const hasSessionOf = (root: Fragment): Fragment => sql`
  EXISTS (SELECT 1 FROM "Session" s WHERE ${isValidRowOf(root)})`
