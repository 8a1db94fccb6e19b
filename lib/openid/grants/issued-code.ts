import { readGroups } from '@/lib/auth/model/groups'
import { readRows } from '@/lib/database/direct-sql'
import { separated } from '../apps/app'
import { type Person, personOf } from './person'

/** What a code gave, or may give: as long as grant, account and session stand. */
export interface IssuedCode {
  id: string
  appId: string
  person: Person
  /** The first of the sessions that were given in place of each other */
  rootId: string
  redirectUri: string
  challenge: string | null
  nonce: string | null
  scopes: string[]
  amr: string[]
  /** Seconds since 1970 */
  authTime: number
  /** Milliseconds since 1970 */
  validUntil: number
  /** The app's rules now */
  rules: { groups: string[]; requirePasskey: boolean }
}

interface IssuedCodeRow {
  id: string
  appId: string
  userId: string
  username: string
  createdAt: Date | string
  renamedAt: number | string | null
  email: string | null
  groups: string | null
  rootId: string
  redirectUri: string
  challenge: string | null
  nonce: string | null
  scopes: string
  amr: string
  authTime: number | string
  validUntil: number | string
  appGroups: string
  requirePasskey: boolean | number
}

/**
 * One statement, so that nothing that a grant gave outlives the grant, the account's good standing or the session. The
 * rules of the session are those of findSession; disabling an account ends its sessions for good, by their epoch. A family
 * of refresh tokens needs no session, and keeps the epoch and the passkey of the one that it comes from: what would end
 * that session ends it, but for its owner's sign-out and its expiry. Null if one of them is over, or `ended` was set.
 *
 * @param tokenId of an access token, which its app may have revoked
 */
export async function findIssuedCode(codeId: string, tokenId = ''): Promise<IssuedCode | null> {
  const [row] = await readRows<IssuedCodeRow>`
    SELECT c."id", g."appId", u."id" AS "userId", u."username", u."createdAt", u."renamedAt", u."email",
      (SELECT string_agg(m."groupName", ',') FROM "Membership" m WHERE m."userId" = u."id") AS "groups",
      c."rootId", c."redirectUri", c."challenge", c."nonce", c."scopes", c."amr", c."authTime", c."validUntil",
      a."groups" AS "appGroups", a."requirePasskey"
    FROM "Code" c JOIN "Grant" g ON g."id" = c."grantId" JOIN "App" a ON a."id" = g."appId"
      JOIN "User" u ON u."id" = g."userId"
    WHERE c."id" = ${codeId} AND NOT c."ended"
      AND NOT EXISTS (SELECT 1 FROM "SpentToken" t WHERE t."id" = ${tokenId})
      AND ((c."refreshHash" IS NOT NULL AND c."epoch" = u."sessionEpoch"
        AND (c."passkeyId" IS NULL
          OR EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = c."passkeyId" AND p."userId" = u."id")))
      OR EXISTS (SELECT 1 FROM "Session" s
        WHERE c."refreshHash" IS NULL AND s."userId" = u."id" AND s."epoch" = u."sessionEpoch" AND COALESCE(s."rootId", s."id") = c."rootId"
          AND s."expiresAt" > ${BigInt(Date.now())}
          AND NOT EXISTS (SELECT 1 FROM "SpentToken" t WHERE t."id" = s."id")
          AND (s."passkeyId" IS NULL
            OR EXISTS (SELECT 1 FROM "Passkey" p WHERE p."id" = s."passkeyId" AND p."userId" = u."id"))))`
  if (!row) return null
  const { userId: id, username, createdAt, renamedAt, email, groups, ...others } = row
  const { scopes, amr, authTime, validUntil, appGroups, requirePasskey, ...rest } = others
  return {
    ...rest,
    person: personOf({ id, username, createdAt, renamedAt, email, groups: readGroups(groups) }),
    scopes: separated(scopes),
    amr: separated(amr),
    authTime: Number(authTime),
    validUntil: Number(validUntil),
    rules: { groups: separated(appGroups), requirePasskey: Boolean(requirePasskey) },
  }
}
