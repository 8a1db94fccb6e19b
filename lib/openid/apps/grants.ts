import { randomBytes } from 'node:crypto'
import { ApiError, isApiError } from '@/lib/api/errors'
import type { AllowedApps, revokeAppInput } from '@/lib/api/schemas'
import { recordEvent } from '@/lib/auth/audit/events'
import type { Parsed, RequestContext } from '@/lib/auth/request'
import type { Session } from '@/lib/auth/sessions/find'
import { asSession, deleteCodes } from '@/lib/auth/sessions/write'
import { isoOfMilliseconds, type Time } from '@/lib/auth/time'
import { referenceOf } from '@/lib/auth/tokens/claims'
import { type Consumable, isConsumed, soleConsumption } from '@/lib/auth/tokens/consumed-tokens'
import type { Database } from '@/lib/database/client'
import { flushReads, readRows, type SqlInteger, unflushed } from '@/lib/database/direct-sql'
import { isGone } from '@/lib/database/errors'
import { hasWord, sql, statement } from '@/lib/database/fragments'
import { bestEffort } from '@/lib/process/after-response'
import { settings } from '@/lib/settings/settings'
import { findApis } from './api'
import { type App, joinSpaced, shownName, splitSpaced } from './app'
import { findKeptClient } from './documents'
import { iconPath } from './icon'
import { identifiersIn, isAdmitted, ownScopes, scopesAt } from './resources'

/** The scopes that the account has allowed the app; empty without a grant, since each has at least `openid`. */
export async function grantedScopes(userId: string, appId: string): Promise<string[]> {
  const [row] = await readRows<{ scopes: string }>`
    SELECT g."scopes" FROM "Grant" g WHERE g."userId" = ${userId} AND g."appId" = ${appId}`
  return splitSpaced(row?.scopes ?? '')
}

interface NewScopes {
  app: App
  scopes: readonly string[]
  /** The token of the request, which the same transaction consumes; without one, the operator's trust stands for consent */
  consumes?: Consumable
}

/**
 * Grants scopes to the app, while the session is valid.
 *
 * @returns false if somebody deleted the app meanwhile, or had consumed the token before
 * @throws ApiError not_signed_in if the session has ended; without a token, also if the app is trusted no longer, or deleted
 */
export async function saveGrant(
  { user, claims }: Session,
  { app, scopes, consumes }: NewScopes,
  context: RequestContext,
): Promise<boolean> {
  const id = randomBytes(16).toString('base64url')
  const saving = asSession(claims)((db) => ({
    consent: consumes ? soleConsumption(db, consumes) : lockTrustedApp(db, app.id),
    grant: db.$executeRaw`
      INSERT INTO "Grant" ("id", "userId", "appId", "scopes", "createdAt")
      VALUES (${id}, ${user.id}, ${app.id}, ${joinSpaced(scopes)}, ${BigInt(Date.now())})
      ON CONFLICT ("userId", "appId") DO NOTHING`,
    // The unique key admits one of several concurrent grants. Adds scopes to the row as it is by then: concurrent grants keep
    // each other's scopes, and removed ones stay removed.
    scopes: scopes.map((scope) =>
      statement(
        db,
        sql`
        UPDATE "Grant" SET "scopes" = "scopes" || ${` ${scope}`}
        WHERE "userId" = ${user.id} AND "appId" = ${app.id}
          AND NOT ${hasWord(sql`"scopes"`, scope)}`,
      ),
    ),
  }))
  const isSaved = await saving.then(
    () => true,
    async (error: unknown) => {
      // `not_signed_in` can also mean that a concurrent answer has consumed the token.
      const isUsed = isApiError(error) && error.code === 'not_signed_in' && consumes && (await isConsumed(consumes.jti))
      if (isUsed || isGone(error)) return false
      throw error
    },
  )
  if (isSaved) await recordEvent(user.id, 'app_allowed', context, { app })
  return isSaved
}

/** Fails if the app is not trusted. Makes a concurrent end of trust wait for this grant, so that it can end this one, too. */
const lockTrustedApp = (db: Database, id: string) =>
  db.app.update({ where: { id, trusted: true }, data: { trusted: true }, select: { id: true } })

/** Records when an app used a grant. Never throws: the code or refresh token is consumed, so the app must get its tokens. */
export const recordGrantUse = (codeId: string) =>
  bestEffort(
    () => unflushed.changes`
      UPDATE "Grant" SET "lastUsedAt" = ${BigInt(Date.now())}
      WHERE "id" = (SELECT c."grantId" FROM "Code" c WHERE c."id" = ${codeId})`,
    'could not record the use of a grant',
  )

/** The clients that introduced themselves and that a person has let in; beyond, the one goes that was used least recently. */
const mostClients = 100
/** A request removes so many at most. */
const mostRemoved = 10

/** Anybody with an account can write documents without end, and let in each client. */
export const limitClients = ({ user }: Session) => unflushed.changes`
  DELETE FROM "Grant" WHERE "id" IN (
    SELECT g."id" FROM "Grant" g JOIN "App" a ON a."id" = g."appId"
    WHERE g."userId" = ${user.id} AND a."clientName" IS NOT NULL
    ORDER BY COALESCE(g."lastUsedAt", g."createdAt") DESC LIMIT ${mostRemoved} OFFSET ${mostClients})`

/** Removes a grant, and ends all tokens that the app got for it. @returns false if there is none */
async function removeGrant({ user, claims }: Session, appId: string, context: RequestContext): Promise<boolean> {
  const app = await findKeptClient(appId)
  // Checks first, because the transaction locks the account: repeated for an app without access, it would occupy everybody's
  // connections.
  if (!app || (await grantedScopes(user.id, appId)).length === 0) {
    await flushReads()
    return false
  }
  const write = asSession(claims)
  const grants = sql`SELECT g."id" FROM "Grant" g WHERE g."userId" = ${user.id} AND g."appId" = ${appId}`
  await deleteCodes(write, sql`c."grantId" IN (${grants})`)
  const { removed } = await write((db) => ({
    removed: db.grant.deleteMany({ where: { userId: user.id, appId } }),
  }))
  if (removed.count === 1) await recordEvent(user.id, 'app_removed', context, { app })
  return removed.count === 1
}

export async function revokeApp({ body, session, context }: Parsed<typeof revokeAppInput> & { session: Session }) {
  if (!(await removeGrant(session, body.id, context))) throw new ApiError('not_found')
}

/* What a person sees: the apps that they have let in. */

interface AppRow {
  id: string
  name: string
  clientName: string | null
  homeUrl: string | null
  icon: string | null
  redirectUris: string
  groups: string
  /** Null, as the next, without a grant */
  scopes: string | null
  createdAt: SqlInteger | null
  lastUsedAt: SqlInteger | null
}

export const listAppsOfPerson = ({ session }: { session: Session }): Promise<AllowedApps> => appsOf(session.user)

/** The apps that an account has let in, and those that it can open. */
export async function appsOf({ id, groups }: Pick<Person, 'id' | 'groups'>): Promise<AllowedApps> {
  const rows = await readRows<AppRow>`
    SELECT a."id", a."name", a."clientName", a."homeUrl", a."icon", a."redirectUris", a."groups", g."scopes", g."createdAt", g."lastUsedAt"
    FROM "App" a LEFT JOIN "Grant" g ON g."appId" = a."id" AND g."userId" = ${id}
    WHERE a."homeUrl" IS NOT NULL OR g."id" IS NOT NULL ORDER BY a."name"`
  const apis = await apisOf(rows)
  return {
    apps: rows.flatMap(({ id, name, clientName, homeUrl, scopes, createdAt, lastUsedAt }) =>
      scopes === null || createdAt === null
        ? []
        : {
            id,
            name: shownName({ id, name, clientName }),
            homeUrl,
            scopes: ownScopes(splitSpaced(scopes)),
            ...apis(splitSpaced(scopes)),
            since: isoOfMilliseconds(createdAt),
            lastUsedAt: lastUsedAt === null ? null : isoOfMilliseconds(lastUsedAt),
          },
    ),
    tiles: [
      ...settings().clientTiles.map((tile) => ({ ...tile, icon: null })),
      ...rows.flatMap(({ name, clientName, homeUrl, icon, redirectUris, groups: admitted }) => {
        // Nobody opens an address of a stranger's choice from here.
        const url = clientName !== null ? null : (homeUrl ?? webOriginOf(splitSpaced(redirectUris)))
        return url === null || !isAdmitted({ groups: splitSpaced(admitted) }, { groups })
          ? []
          : { name, url, icon: iconPath(icon) }
      }),
    ].sort((one, other) => one.name.localeCompare(other.name)),
  }
}

/** Where an app without a front page most likely has one. Null: it is no web app. */
const webOriginOf = (redirectUris: string[]) =>
  redirectUris.flatMap((uri) => (uri.startsWith('https://') ? new URL(uri).origin : []))[0] ?? null

/** What the words of a grant let an app do at APIs, in their operators' words. */
async function apisOf(rows: Pick<AppRow, 'scopes'>[]) {
  const identifiers = new Set(rows.flatMap(({ scopes }) => identifiersIn(splitSpaced(scopes ?? ''))))
  const found = await findApis([...identifiers])
  return (words: string[]) => {
    const granted = new Set(identifiersIn(words))
    const apis = found
      .filter(({ identifier }) => granted.has(identifier))
      .map(({ identifier, name, scopes }) => ({
        name,
        scopes: scopesAt(identifier, words).flatMap(
          (scope) => (Object.hasOwn(scopes, scope) ? scopes[scope] : []) ?? [],
        ),
      }))
    return apis.length > 0 ? { apis } : {}
  }
}

/* What an app may learn: whether its rules admit the person, how they signed in, and who they are. */

/** True if tokens outlive the session (OpenID Connect Core section 11). */
export const includesOfflineAccess = (scopes: readonly string[]) => scopes.includes('offline_access')

/**
 * Finds the app's rule that excludes a person who signed in by these methods (RFC 8176); null without one.
 * lib/auth/sessions/end.ts has the same rules in SQL.
 */
export function obstacleOfRules(
  app: Pick<App, 'groups' | 'requirePasskey'>,
  { groups }: Pick<Person, 'groups'>,
  amr: readonly string[],
): 'not_a_member' | 'passkey_required' | null {
  if (!isAdmitted(app, { groups })) return 'not_a_member'
  return app.requirePasskey && !isByPasskey(amr) ? 'passkey_required' : null
}

/** Phishing-resistant (OpenID Connect Extended Authentication Profile, section 2). */
export const acrOfPasskeys = 'phr'

/** A password over TLS (SAML 2.0 Authentication Context, section 3.4.8), as other providers name it. */
const acrOfPasswords = 'urn:oasis:names:tc:SAML:2.0:ac:classes:PasswordProtectedTransport'

export const acrValues: readonly string[] = [acrOfPasskeys, acrOfPasswords]

/** The `acr` of who signed in by these methods; undefined for a recovery code. */
export function acrOf(amr: readonly string[]): string | undefined {
  if (isByPasskey(amr)) return acrOfPasskeys
  return amr.includes(referenceOf('pwd')) ? acrOfPasswords : undefined
}

export const isByPasskey = (amr: readonly string[]) => amr.includes(referenceOf('passkey'))

/** The part of an account that apps can learn. */
export interface Person {
  id: string
  username: string
  displayName: string | null
  /** Seconds since 1970 */
  updatedAt: number
  email: string | null
  groups: readonly string[]
}

interface AccountRow {
  id: string
  username: string
  displayName: string | null
  createdAt: Time
  renamedAt: SqlInteger | null
  email: string | null
  groups: readonly string[]
}

export const personOf = ({ id, username, displayName, createdAt, renamedAt, email, groups }: AccountRow): Person => ({
  id,
  username,
  displayName,
  updatedAt: Math.floor((renamedAt ? Number(renamedAt) : new Date(createdAt).getTime()) / 1000),
  email,
  groups,
})

/** The claims of the scopes (OpenID Connect Core section 5.4). An e-mail address is verified, because we store no others. */
export function claimsOf(person: Person, scopes: readonly string[]): Record<string, unknown> {
  const { username, displayName, updatedAt, email, groups } = person
  const profile = { preferred_username: username, name: displayName ?? username, updated_at: updatedAt }
  return {
    ...(scopes.includes('profile') && profile),
    ...(scopes.includes('email') && email !== null && { email, email_verified: true }),
    ...(scopes.includes('groups') && { groups: [...groups] }),
  }
}
