import { randomBytes } from 'node:crypto'
import { ApiError, isApiError } from '@/lib/api/errors'
import type { AllowedApps, revokeAppInput } from '@/lib/api/schemas'
import { recordEvent } from '@/lib/auth/events/record'
import type { Parsed, RequestContext } from '@/lib/auth/request'
import { isAdmitted } from '@/lib/auth/sessions/app-rules'
import type { Session } from '@/lib/auth/sessions/find'
import { asSession, deleteCodes } from '@/lib/auth/sessions/write'
import { isoOfMilliseconds } from '@/lib/auth/time'
import { type Consumable, isConsumed, soleConsumption } from '@/lib/auth/tokens/tokens'
import type { Database } from '@/lib/database/client'
import { isGone } from '@/lib/database/errors'
import {
  flushReads,
  hasWord,
  type LeftJoined,
  readRows,
  type SqlRow,
  sql,
  statement,
  unflushed,
} from '@/lib/database/sql'
import { bestEffort } from '@/lib/process/work'
import { settings } from '@/lib/settings/settings'
import { readApis } from './api'
import { type App, iconPath, joinSpaced, shownName, splitSpaced } from './app'
import { findKeptClient } from './find'
import { identifiersIn, ownScopes, scopesAt } from './resources'

/** Reads the scopes that the account has allowed the app; empty without a grant, since each has at least `openid`. */
export async function grantedScopes(userId: string, appId: string): Promise<string[]> {
  const [row] = await readRows<SqlRow<'Grant', 'scopes'>>`
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
    // The unique key admits one of several concurrent grants.
    grant: statement(db)`
      INSERT INTO "Grant" ("id", "userId", "appId", "scopes", "createdAt")
      VALUES (${id}, ${user.id}, ${app.id}, ${joinSpaced(scopes)}, ${BigInt(Date.now())})
      ON CONFLICT ("userId", "appId") DO NOTHING`,
    // Adds scopes to the row as it is by then: concurrent grants keep each other's scopes, and removed ones stay removed.
    scopes: scopes.map(
      (scope) =>
        statement(db)`
        UPDATE "Grant" SET "scopes" = "scopes" || ${` ${scope}`}
        WHERE "userId" = ${user.id} AND "appId" = ${app.id}
          AND NOT ${hasWord(sql`"scopes"`, scope)}`,
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
/** A request removes at most this many. */
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

/** True if tokens outlive the session (OpenID Connect Core section 11). */
export const includesOfflineAccess = (scopes: readonly string[]) => scopes.includes('offline_access')

/* What a person sees of it: the apps that they have let in, and those that they can open. */

type AppOfPerson = SqlRow<'App', 'id' | 'name' | 'clientName' | 'homeUrl' | 'icon' | 'redirectUris' | 'groups'> &
  LeftJoined<SqlRow<'Grant', 'scopes' | 'createdAt' | 'lastUsedAt'>>

export const listAppsOfPerson = ({ session }: { session: Session }): Promise<AllowedApps> => appsOf(session.user)

export async function appsOf({ id, groups }: { id: string; groups: readonly string[] }): Promise<AllowedApps> {
  const rows = await readRows<AppOfPerson>`
    SELECT a."id", a."name", a."clientName", a."homeUrl", a."icon", a."redirectUris", a."groups", g."scopes", g."createdAt", g."lastUsedAt"
    FROM "App" a LEFT JOIN "Grant" g ON g."appId" = a."id" AND g."userId" = ${id}
    WHERE a."homeUrl" IS NOT NULL OR g."id" IS NOT NULL ORDER BY a."name"`
  const apis = await apisOf(rows)
  return {
    apps: rows.flatMap(({ id, name, clientName, homeUrl, icon, scopes, createdAt, lastUsedAt }) =>
      scopes === null || createdAt === null
        ? []
        : {
            id,
            name: shownName({ id, name, clientName }),
            homeUrl,
            ...(icon !== null && { icon: iconPath(icon) }),
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
        const url = clientName !== null ? null : (homeUrl ?? publicOriginOf(splitSpaced(redirectUris)))
        return url === null || !isAdmitted({ groups: splitSpaced(admitted) }, { groups })
          ? []
          : { name, url, icon: icon && iconPath(icon) }
      }),
    ].sort((one, other) => one.name.localeCompare(other.name)),
  }
}

/** Where an app without a front page most likely has one. Not at http, which would be the person's own device. */
const publicOriginOf = (redirectUris: string[]) =>
  redirectUris.flatMap((uri) => (uri.startsWith('https://') ? new URL(uri).origin : []))[0] ?? null

/** What the words of a grant let an app do at APIs, in their operators' words. */
async function apisOf(rows: Pick<AppOfPerson, 'scopes'>[]) {
  const identifiers = new Set(rows.flatMap(({ scopes }) => identifiersIn(splitSpaced(scopes ?? ''))))
  const found = await readApis([...identifiers])
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
