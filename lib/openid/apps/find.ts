import { ApiError } from '@/lib/api/errors'
import { OAuthError } from '@/lib/api/oauth-errors'
import { logSecurityEvent } from '@/lib/auth/events/security-log'
import { credentialsOf, type RequestContext } from '@/lib/auth/request'
import { consumeAddressAttempt } from '@/lib/auth/throttling/attempts'
import { database } from '@/lib/database/client'
import { readRows, type SqlRow } from '@/lib/database/sql'
import { settings } from '@/lib/settings/settings'
import { type App, type AppWithSecrets, appOf, describeApp, isAppId, isSecretOf, registeredOnly } from './app'
import { documentUrlFault, fetchDocument, isFresh, isHostAdmitted } from './client-documents'
import { isDocumentUrl } from './redirect-uris'
import { refuse } from './refusals'

/*
 * Who an id names: an app that an operator registered, or, where it is the URL of a document, a client that introduces itself.
 */

/** Finds an app that an operator registered. */
export const findApp = async (id: string): Promise<AppWithSecrets | null> =>
  // The databases take no NUL.
  isAppId(id) ? readApp(id) : null

/** @throws ApiError not_found */
export async function requireApp(id: string): Promise<AppWithSecrets> {
  const app = await findApp(id)
  if (!app) throw new ApiError('not_found')
  return app
}

export async function listApps(): Promise<App[]> {
  const db = await database()
  return (await db.app.findMany({ where: registeredOnly, orderBy: { name: 'asc' } })).map((row) =>
    describeApp(appOf(row)),
  )
}

/** A registered app, or a client that has introduced itself, even if its host is no longer admitted: what a grant may be for. */
export async function findKeptClient(id: string): Promise<AppWithSecrets | null> {
  if (!isDocumentUrl(id)) return findApp(id)
  return documentUrlFault(id) === null ? readApp(id) : null
}

/**
 * Who may ask for something now. Uses the stored document and fetches none: if it has gone since, the person's consent stands. A
 * client whose host is no longer admitted gets nothing more.
 */
export async function findClient(id: string): Promise<AppWithSecrets | null> {
  const client = await findKeptClient(id)
  return client?.document && !isHostAdmitted(id) ? null : client
}

/**
 * Who asks to sign somebody in. Fetches and keeps the document of a client that introduces itself, unless the one that is kept is
 * fresh.
 *
 * @returns null for nobody; of a client with a fault, a sentence for its developer that says what is wrong
 */
export async function introducedClient(id: string, context: RequestContext): Promise<AppWithSecrets | string | null> {
  if (!isDocumentUrl(id) || settings().clientDocuments === null) return findClient(id)
  const ofUrl =
    documentUrlFault(id) ?? (isHostAdmitted(id) ? null : 'is at a host that CLIENT_DOCUMENTS here does not name')
  if (ofUrl !== null) return `The client_id ${ofUrl}.`
  const kept = await readApp(id)
  if (kept?.document && isFresh(kept.document)) return kept
  const fault = await fetchDocument(id, context)
  if (fault === null) return readApp(id)
  await refuse(context, { app: { id }, reason: 'client_document' })
  return fault
}

async function readApp(id: string): Promise<AppWithSecrets | null> {
  const [row] = await readRows<SqlRow<'App'>>`
    SELECT a."id", a."name", a."secretHash", a."previousSecretHash", a."previousSecretUntil", a."redirectUris",
      a."signOutUris", a."backChannelUri", a."homeUrl", a."icon", a."pkce", a."trusted", a."requirePasskey", a."groups",
      a."createdAt", a."lastRefusal", a."lastRefusedAt", a."machine", a."device", a."managed",
      a."clientName", a."documentUntil"
    FROM "App" a WHERE a."id" = ${id}`
  return row ? appOf(row) : null
}

/* Whether it is that app: its secret. */

/**
 * Authenticates an app by its id, and its secret unless it is public. Counts only wrong secrets, by address and app together:
 * strangers can neither keep an app out nor, from many addresses, guess 256 random bits.
 *
 * @throws OAuthError invalid_request, invalid_client
 * @throws ApiError too_many_attempts
 */
export async function authenticateApp(
  authorization: string | null,
  form: unknown,
  context: RequestContext,
): Promise<AppWithSecrets> {
  const { id, secret, details } = readAppCredentials(authorization, form)
  const app = await findClient(id)
  if (app && isAuthentic(app, secret)) return app
  // Unknown ids share one count, or strangers could fill the table.
  await consumeAddressAttempt('app', context.address, (place) => JSON.stringify([place, app?.id ?? null]))
  logSecurityEvent('app_rejected', context, app ? { app: app.id } : {})
  if (app) await refuse(context, { app, reason: 'invalid_client' })
  throw new OAuthError('invalid_client', rejectionOf(app), details)
}

function rejectionOf(app: AppWithSecrets | null): string {
  if (!app) return 'No app has this client_id.'
  return app.public ? 'This app is public: send client_id alone.' : 'The client secret is wrong or missing.'
}

/** A public app sends its id alone, a confidential one never does. */
const isAuthentic = (app: AppWithSecrets, secret: string | null) =>
  app.public ? secret === null : secret !== null && isSecretOf(app, secret)

interface AppCredentials {
  id: string
  secret: string | null
  /** Of a rejection */
  details: { authenticate?: string }
}

/** The details of the rejection of `Basic`, which names the scheme (RFC 6749 section 5.2). */
const basic = { authenticate: 'Basic realm="apps"' }

/**
 * Reads an app's id and secret from `Authorization: Basic` or the form (RFC 6749 section 2.3.1). Rejects both at once: they
 * could name two apps.
 *
 * @throws OAuthError invalid_request, invalid_client
 */
export function readAppCredentials(authorization: string | null, form: unknown): AppCredentials {
  const { client_id: id, client_secret: posted } = form as Record<string, string | undefined>
  const shown = readBasic(authorization)
  if (shown && (posted !== undefined || (id !== undefined && id !== shown.id)))
    throw new OAuthError('invalid_request', 'Use one way of client authentication: Basic or the form.')
  if (shown) return shown
  if (id === undefined) throw new OAuthError('invalid_client', 'There is no client_id.')
  return { id, secret: posted ?? null, details: {} }
}

/** Decodes `Basic`, whose two parts are percent-encoded; null for another scheme. */
function readBasic(authorization: string | null): AppCredentials | null {
  const encoded = credentialsOf(authorization, 'basic')
  if (encoded === null) return null
  if (!/^[A-Za-z\d+/=_-]*$/.test(encoded))
    throw new OAuthError('invalid_client', 'Encode client_id:client_secret in Base64.', basic)
  const [, id = '', secret = ''] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? []
  try {
    return { id: decodePart(id), secret: decodePart(secret) || null, details: basic }
  } catch {
    throw new OAuthError('invalid_client', 'Percent-encode client_id and client_secret.', basic)
  }
}

const decodePart = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
