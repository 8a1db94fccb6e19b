import { randomBytes, timingSafeEqual } from 'node:crypto'
import { limits } from '@/lib/api/limits'
import { pkceRules } from '@/lib/api/schemas/operator'
import { isoOfMilliseconds, isoTime } from '@/lib/auth/time'
import { digestOf } from '@/lib/auth/tokens/tokens'
import type { Database } from '@/lib/database/client'
import { hasWord, type SqlRow, sql, statement, withoutWords } from '@/lib/database/sql'
import type { MendableReason } from './refusals'

/**
 * What binds a code to the app that asked for it (RFC 9700 section 2.1.1): PKCE; PKCE or the `nonce` of an ID token, which an
 * app with a secret may use in its place; or nothing that Latchkey sees.
 */
export type PkceRule = (typeof pkceRules)[number]

/** An application that people sign in to, as operators see it. */
export interface App {
  id: string
  name: string
  redirectUris: string[]
  signOutUris: string[]
  backChannelUri: string | null
  homeUrl: string | null
  /** The path of its picture */
  icon: string | null
  /** It has no secret, because it could not keep one (RFC 6749 section 2.1). */
  public: boolean
  /** Always `required` for a public app */
  pkce: PkceRule
  trusted: boolean
  requirePasskey: boolean
  /** Only members of one of these may use it; without any, everybody may. */
  groups: string[]
  /** It acts for nobody: its secret alone gets it tokens for APIs (RFC 6749 section 4.4) */
  machine: boolean
  /** It may show a code that people enter on another device (RFC 8628) */
  device: boolean
  /** The file of APPLY alone changes it */
  managed: boolean
  createdAt: string
  /** The latest that its settings, or the registration, may mend; at most one a minute is kept */
  lastRefusal: { at: string; reason: MendableReason } | null
}

export interface AppWithSecrets extends App {
  /** What the document of a client that introduced itself calls it, and until when that is fresh; null for a registered app */
  document: { name: string; until: number } | null
  secretHash: string | null
  previousSecretHash: string | null
  /** Milliseconds since 1970 */
  previousSecretUntil: number | null
}

/** An app's picture, as it is kept. */
export interface Icon {
  /** SHA-256, base64url, which names it */
  digest: string
  bytes: Uint8Array<ArrayBuffer>
}

/** Where pages find an app's picture. Its address changes with its content, so that browsers keep it for good. */
export const iconPath = (digest: string) => `/api/app-icon?digest=${digest}`

export const appOf = (row: SqlRow<'App'>): AppWithSecrets => ({
  id: row.id,
  name: shownName(row),
  redirectUris: splitSpaced(row.redirectUris),
  signOutUris: splitSpaced(row.signOutUris),
  backChannelUri: row.backChannelUri,
  homeUrl: row.homeUrl,
  icon: row.icon && iconPath(row.icon),
  public: row.secretHash === null,
  pkce: pkceRules.find((rule) => rule === row.pkce) ?? 'required',
  trusted: Boolean(row.trusted),
  requirePasskey: Boolean(row.requirePasskey),
  groups: splitSpaced(row.groups),
  machine: Boolean(row.machine),
  device: Boolean(row.device),
  managed: Boolean(row.managed),
  createdAt: isoTime(row.createdAt),
  lastRefusal:
    row.lastRefusal === null || row.lastRefusedAt === null
      ? null
      : { at: isoOfMilliseconds(row.lastRefusedAt), reason: row.lastRefusal as MendableReason },
  document: row.clientName === null ? null : { name: row.clientName, until: Number(row.documentUntil) },
  secretHash: row.secretHash,
  previousSecretHash: row.previousSecretHash,
  previousSecretUntil: row.previousSecretUntil === null ? null : Number(row.previousSecretUntil),
})

/** People know a client that introduced itself by its host: its document can call it by anybody's name. */
export const shownName = ({ id, name, clientName }: SqlRow<'App', 'id' | 'name' | 'clientName'>) =>
  clientName === null ? name : new URL(id).host

export const isAppId = (text: string) => /^[A-Za-z\d._-]+$/.test(text) && text.length <= limits.appId

export const describeApp = ({
  document,
  secretHash,
  previousSecretHash,
  previousSecretUntil,
  ...app
}: AppWithSecrets): App => app

/** Selects the apps that an operator registered; the others are clients that introduced themselves. */
export const registeredOnly = { clientName: null }

/** The scopes of OpenID Connect, in the order of the consent page. */
export const knownScopes = ['openid', 'profile', 'email', 'groups', 'offline_access'] as const

/** The most that a client which introduced itself gets, besides the scopes of APIs: nobody here has looked at it. */
const scopesOfStrangers: readonly string[] = ['openid', 'profile', 'email']

export const scopesFor = ({ document }: Pick<AppWithSecrets, 'document'>) =>
  document === null ? knownScopes : knownScopes.filter((scope) => scopesOfStrangers.includes(scope))

/* Lists in columns and parameters, such as scopes and redirect URIs. No word contains a space. */

export const joinSpaced = (words: readonly string[]) => words.join(' ')

export const splitSpaced = (text: string) => text.split(' ').filter(Boolean)

/** The prefix lets scanners find a published secret. */
export const newSecret = () => `lk_${randomBytes(32).toString('base64url')}`

interface Secrets {
  secretHash: string | null
  previousSecretHash: string | null
  previousSecretUntil: number | null
}

/** Compares in constant time, so that the time reveals nothing about the secret (CWE-208). */
export function isSecretOf(app: Secrets, secret: string, now = Date.now()): boolean {
  const given = Buffer.from(digestOf(secret))
  const isSame = (digest: string | null) => digest !== null && timingSafeEqual(Buffer.from(digest), given)
  return isSame(app.secretHash) || ((app.previousSecretUntil ?? 0) > now && isSame(app.previousSecretHash))
}

/** Takes a deleted app off the lists of APIs, so that an app that gets its id later has none of what it might. */
export const unlistingOf = (db: Database, id: string) =>
  statement(db)`
    UPDATE "Api" SET "apps" = ${withoutWords(sql`"apps"`, [id])}
    WHERE ${hasWord(sql`"apps"`, id)} AND NOT EXISTS (SELECT 1 FROM "App" a WHERE a."id" = ${id})`
