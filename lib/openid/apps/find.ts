import { ApiError } from '@/lib/api/errors'
import type { RequestContext } from '@/lib/auth/request'
import { database } from '@/lib/database/client'
import { readRows } from '@/lib/database/sql'
import { settings } from '@/lib/settings/settings'
import { type App, type AppRow, type AppWithSecrets, appOf, describeApp, isAppId, registeredOnly } from './app'
import { documentUrlFault, fetchDocument, isFresh, isHostAdmitted } from './documents'
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
  const [row] = await readRows<AppRow>`
    SELECT a."id", a."name", a."secretHash", a."previousSecretHash", a."previousSecretUntil", a."redirectUris",
      a."signOutUris", a."backChannelUri", a."homeUrl", a."icon", a."pkce", a."trusted", a."requirePasskey", a."groups",
      a."createdAt", a."lastRefusal", a."lastRefusedAt", a."machine", a."device", a."managed",
      a."clientName", a."documentUntil"
    FROM "App" a WHERE a."id" = ${id}`
  return row ? appOf(row) : null
}
