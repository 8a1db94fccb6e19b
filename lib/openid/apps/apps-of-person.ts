import type { AllowedApps } from '@/lib/api/schemas'
import { isAdmitted } from '@/lib/auth/sessions/app-rules'
import type { Session } from '@/lib/auth/sessions/find'
import { isoOfMilliseconds } from '@/lib/auth/time'
import { readRows, type SqlInteger } from '@/lib/database/sql'
import { settings } from '@/lib/settings/settings'
import type { Person } from '../tokens/claims'
import { findApis } from './api'
import { iconPath, shownName, splitSpaced } from './app'
import { identifiersIn, ownScopes, scopesAt } from './resources'

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
        const url = clientName !== null ? null : (homeUrl ?? webOriginOf(splitSpaced(redirectUris)))
        return url === null || !isAdmitted({ groups: splitSpaced(admitted) }, { groups })
          ? []
          : { name, url, icon: icon && iconPath(icon) }
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
