import { type Fragment, sql } from '@/lib/database/fragments'
import { isUnconsumed } from '../tokens/consumed-tokens'

/** What identifies a session and its credential, as columns or values. */
interface Terms {
  id: Fragment | string
  epoch: Fragment | number
  passkeyId: Fragment | string | null
}

/**
 * Whether a sign-in in this epoch, with this passkey if any, still counts: "User" as `u` has that epoch and that passkey, and is
 * not disabled.
 */
export const stillStands = ({ epoch, passkeyId }: Omit<Terms, 'id'>): Fragment => sql`
  u."sessionEpoch" = ${epoch} AND NOT u."disabled" AND (CAST(${passkeyId} AS TEXT) IS NULL
    OR EXISTS (SELECT 1 FROM "Passkey" k WHERE k."id" = ${passkeyId} AND k."userId" = u."id"))`

/** Whether a session of "User" as `u` is valid, but for its expiry: the one rule for all that read sessions. */
export const isValid = ({ id, ...terms }: Terms): Fragment => sql`${stillStands(terms)} AND ${isUnconsumed(id)}`

const row: Terms = { id: sql`s."id"`, epoch: sql`s."epoch"`, passkeyId: sql`s."passkeyId"` }

/** Whether the transaction has inserted the record of session `sid`. */
export const isInserted = (sid: string): Fragment => sql`EXISTS (SELECT 1 FROM "Session" s WHERE s."id" = ${sid})`

/** Joins "Session" as `s` to "User" as `u`, where the session is the account's, valid and not expired. */
export const isValidRow = (): Fragment => sql`s."userId" = u."id" AND ${isLiveRow()}`

const isLiveRow = (): Fragment => sql`s."expiresAt" > ${BigInt(Date.now())} AND ${isValid(row)}`

/**
 * The same for the sessions of these roots. The concatenation keeps the index of an account's sessions from being chosen, by
 * which all of them would be read.
 */
export const isValidRowOf = (roots: Fragment): Fragment => sql`
  (s."id" IN (${roots}) OR s."rootId" IN (${roots})) AND s."userId" || '' = u."id" AND ${isLiveRow()}`

/** Whether "User" as `u` has a valid session of this root. */
export const hasSessionOf = (root: Fragment): Fragment => sql`
  EXISTS (SELECT 1 FROM "Session" s WHERE ${isValidRowOf(root)})`
