import { isIP } from 'node:net'
import * as z from 'zod'
import { isApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import { networkOf, type RequestContext } from '@/lib/auth/request'
import { consumeAttempt } from '@/lib/auth/throttling/attempts'
import { dayMilliseconds } from '@/lib/auth/time'
import { database } from '@/lib/database/client'
import { isConflict } from '@/lib/database/errors'
import { unflushed } from '@/lib/database/sql'
import { fetchForStranger } from '@/lib/delivery/receiver'
import { isReceiverError } from '@/lib/delivery/senders'
import { singleton } from '@/lib/process/singleton'
import { settings } from '@/lib/settings/settings'
import { joinSpaced } from './app'
import { redirectUriFault } from './redirect-uris'
import { nameFaults } from './spec'

/*
 * Clients that introduce themselves (draft-ietf-oauth-client-id-metadata-document): the client_id is the https URL of a document
 * which says what the client is. Anybody can write one and a link that names it, so the URL, its host, its answer and every word
 * in it are a stranger's. What is kept of it is a row of `App`, on which grants and codes rest as on that of a registered app.
 */

const maxBytes = 5 * 1024

/** What is wrong with the URL (section 3 of the draft), after the words "The client_id". URLs are compared as text. */
export function documentUrlFault(id: string): string | null {
  if (id.length > limits.clientUrl) return `must have at most ${limits.clientUrl} characters`
  if (!/^[\x21-\x7e]+$/.test(id))
    return 'must be of ASCII: percent-encode the path, and write the host in its form with xn--'
  if (id.includes('#')) return 'must have no fragment'
  if (id.includes('?')) return 'must have no query'
  if (/^https:\/\/[^/]*@/.test(id)) return 'must have no user information'
  // Servers decode an encoded slash or dot at different times, and would take one document for another.
  if (/\/\.{1,2}(\/|$)|%(2e|2f|5c)/i.test(id)) return 'must have no dot segments, and no encoded dots and slashes'
  // Also an upper-case host, a default port, a backslash, and an IPv4 address in another notation.
  if (!URL.canParse(id) || new URL(id).href !== id)
    return 'must be a URL in its normal form, with its host in lower case'
  const { hostname, pathname } = new URL(id)
  // People see the host, and an address tells them nothing.
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || hostname.endsWith('.'))
    return 'must have the name of a host, without a dot at its end'
  return pathname === '/' ? 'must have a path, such as https://app.example.com/client.json' : null
}

export function isHostAdmitted(id: string): boolean {
  const { clientDocuments } = settings()
  return clientDocuments === 'any' || (clientDocuments?.includes(new URL(id).host) ?? false)
}

/** Each holds a connection for up to ten seconds. */
const mostAtOnce = 20

const underWay = () => singleton('client-documents', () => new Map<string, Promise<string | null>>())

/** Fetches a document and keeps it. Those who ask at once share a request. @returns what is wrong, or null */
export async function fetchDocument(id: string, context: RequestContext): Promise<string | null> {
  const known = underWay().get(id)
  if (known) return known
  if (underWay().size >= mostAtOnce) return 'Too many clients introduce themselves just now. Try again in a minute.'
  const work = fetchAndKeep(id, context).finally(() => underWay().delete(id))
  underWay().set(id, work)
  return work
}

/** What was kept longer than a day from now has the time of a clock that was wrong. */
export const isFresh = ({ until }: { until: number }, now = Date.now()) => until > now && until <= now + dayMilliseconds

async function fetchAndKeep(id: string, context: RequestContext): Promise<string | null> {
  const attempt = await countedFetch(id, context)
  if (!attempt) return 'The document of this client was asked for too often. Try again in a few minutes.'
  try {
    const { headers, bytes } = await fetchForStranger(id, maxBytes)
    const document = documentIn(id, headers, bytes)
    if (typeof document === 'string') return document
    const stored = await keep(id, document, Date.now() + freshMilliseconds(headers))
    if (stored) await attempt.refund()
    return stored ? null : 'An app is registered by the name of this client_id.'
  } catch (error) {
    if (!isReceiverError(error)) throw error
    // One sentence for all, since a stranger could otherwise learn which names and ports there are in the network.
    return `The document of this client cannot be fetched: it must be at a public address, by https with a valid certificate, with the status 200, without a redirect, within ten seconds and ${maxBytes / 1024} KiB.`
  }
}

/** Counts before it fetches, so that a stranger cannot make this server a hammer. @returns null past a limit */
async function countedFetch(id: string, { address }: RequestContext) {
  try {
    await consumeAttempt('client-documents-network', networkOf(address))
    await consumeAttempt('client-documents', new URL(id).host)
    return await consumeAttempt('client-document-failures', id)
  } catch (error) {
    if (isApiError(error) && error.code === 'too_many_attempts') return null
    throw error
  }
}

type Headers = Awaited<ReturnType<typeof fetchForStranger>>['headers']

interface ClientDocument {
  client_name: string
  redirect_uris: string[]
}

/** The document, or a sentence that says what is wrong with it. */
function documentIn(id: string, headers: Headers, bytes: Uint8Array): ClientDocument | string {
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers
  // The limit is on what is read: a few compressed kilobytes can be gigabytes.
  if (encoding.toLowerCase() !== 'identity') return 'The document of this client must come without Content-Encoding.'
  if (!/^application\/(json|[\w.+-]+\+json) *(;|$)/i.test(type))
    return 'The document of this client must have the type application/json.'
  const { data, error } = schemaOf(id).safeParse(jsonIn(bytes))
  if (!error) return data
  const faults = error.issues.map(({ path, message }) => `${path.join('.') || 'it'} ${message}`)
  return `In the document of this client, ${faults.join('; ')}.`
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

const noSecret = { error: 'must not be there: everybody can read the document' }

const schemaOf = (id: string) =>
  z.object(
    {
      // Compares text (RFC 3986 section 6.2.1): otherwise anybody could answer in the name of another client.
      client_id: z.literal(id, { error: 'must be the URL of the document' }),
      client_name: z.string({ error: 'must be a text' }).refine((name) => nameFaults(name).length === 0, {
        error: `must be 1 to ${limits.appName} readable characters`,
      }),
      redirect_uris: z
        .array(
          z.string({ error: 'must be a text' }).superRefine((uri, context) => {
            const fault = redirectUriFault(uri)
            if (fault !== null) context.addIssue(fault)
          }),
          { error: 'must be a list' },
        )
        .min(1, { error: 'must name one at least' }),
      token_endpoint_auth_method: z.literal('none', { error: 'must be none' }).optional(),
      client_secret: z.undefined(noSecret).optional(),
      client_secret_expires_at: z.undefined(noSecret).optional(),
    },
    { error: 'must be a JSON object in UTF-8' },
  )

const leastSeconds = 300
const mostSeconds = 86_400

/** How long a shared cache may use the answer (RFC 9111 section 4.2.1), between five minutes and a day. */
function freshMilliseconds(headers: Headers): number {
  const { 'cache-control': rules = '', expires = '', date = '', age = '' } = headers
  const given = (name: string) => new RegExp(`(?:^|[\\s,])${name}="?(\\d{1,9})`, 'i').exec(rules)?.[1]
  const seconds = given('s-maxage') ?? given('max-age')
  const lifetime =
    seconds === undefined ? (Date.parse(expires) - (Date.parse(date) || Date.now())) / 1000 : Number(seconds)
  const isKept = !/(?:^|[\s,])(no-store|no-cache|private)(?:$|[\s,=])/i.test(rules)
  const left = isKept ? lifetime - (Number(age) || 0) : 0
  return 1000 * Math.min(Math.max(left || 0, leastSeconds), mostSeconds)
}

/**
 * Rows of clients that nobody has let in; beyond, the oldest go. By the time that a document is kept, which its own server says,
 * a thousand that are kept for a day would keep all others out for that day.
 */
const mostUnused = 1_000
/** A request removes at most this many. */
const mostRemoved = 100

/**
 * Stores a client's document. Where several instances fetch a new one at once, the unique key lets one insert it.
 *
 * @returns false if its name is an app's
 */
async function keep(id: string, document: ClientDocument, until: number): Promise<boolean> {
  const { client_name: clientName, redirect_uris: uris } = document
  const kept = { clientName, redirectUris: joinSpaced(uris), documentUntil: BigInt(until) }
  const db = await database()
  // The name is the URL, too: what the document calls itself could be the name of a registered app.
  const isNew = await db.app.create({ data: { id, name: id, pkce: 'required', ...kept }, select: { id: true } }).then(
    () => true,
    (cause: unknown) => {
      if (isConflict(cause)) return false
      throw cause
    },
  )
  if (!isNew) return (await db.app.updateMany({ where: { id, clientName: { not: null } }, data: kept })).count === 1
  await unflushed.changes`
    DELETE FROM "App" WHERE "id" IN (
      SELECT a."id" FROM "App" a
      WHERE a."clientName" IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "Grant" g WHERE g."appId" = a."id")
      ORDER BY a."createdAt" DESC LIMIT ${mostRemoved} OFFSET ${mostUnused})`
  return true
}
