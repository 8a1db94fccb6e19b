import type { mendableReasons } from '@/lib/api/schemas'
import { countRejection } from '@/lib/auth/events/counted-rejections'
import { sessionSubject } from '@/lib/auth/events/rejections'
import type { RequestContext } from '@/lib/auth/request'
import { minuteMilliseconds } from '@/lib/auth/time'
import { unflushed } from '@/lib/database/sql'
import { singleton } from '@/lib/process/singleton'
import { afterResponse } from '@/lib/process/work'
import { isDocumentUrl } from './redirect-uris'

/** What the app's settings, or its registration, can mend. */
export type MendableReason = (typeof mendableReasons)[number]

/** Why an app got an error, or lost a person on the way to it. */
export type RefusalReason = MendableReason | 'client_document' | 'access_denied' | 'login_required'

interface Refusal {
  app: { id: string }
  reason: RefusalReason
  /** The one that is not registered */
  uri?: string | null
}

const maxUri = 200

/**
 * What anybody may have put into a link, for an operator's eyes: bounded, and nothing but visible ASCII, which no terminal obeys.
 */
export const shownUri = (uri: string): string => {
  const visible = uri
    .slice(0, maxUri)
    .toWellFormed()
    .replace(/[^\x21-\x7e]/gu, encodeURIComponent)
  return visible.length < uri.length || visible.length > maxUri ? `${visible.slice(0, maxUri)}...` : visible
}

/** Logs why an app was refused, and keeps it for `app show`: neither the browser nor most apps say. */
export async function refuse(context: RequestContext, { app, reason, uri = null }: Refusal): Promise<void> {
  const { account = null } = await sessionSubject(context)
  countRejection('app_refused', context, { account, app: app.id, reason, ...(uri !== null && { uri: shownUri(uri) }) })
  const isMendable = reason !== 'access_denied' && reason !== 'login_required' && reason !== 'client_document'
  // Not of clients that introduce themselves: no operator would look, and strangers invent any number of them.
  if (isMendable && !isDocumentUrl(app.id)) rememberRefusal(app.id, reason)
}

/** When this process last wrote an app's refusal, by a clock that nobody sets. */
const writtenAt = () => singleton('refusals-written', () => new Map<string, number>())

/** One write a minute for each app, since strangers can cause refusals without end. */
function rememberRefusal(appId: string, reason: MendableReason): void {
  const since = performance.now() - (writtenAt().get(appId) ?? Number.NEGATIVE_INFINITY)
  if (since < minuteMilliseconds) return
  writtenAt().set(appId, performance.now())
  const now = Date.now()
  // Another instance may have written one; a time that is still to come is that of a clock that was wrong.
  afterResponse(
    () => unflushed.changes`
      UPDATE "App" SET "lastRefusal" = ${reason}, "lastRefusedAt" = ${BigInt(now)}
      WHERE "id" = ${appId} AND ("lastRefusedAt" IS NULL
        OR "lastRefusedAt" NOT BETWEEN ${BigInt(now - minuteMilliseconds)} AND ${BigInt(now)})`,
  )
}
