import { createHmac } from 'node:crypto'
import type { Database } from '@/lib/database/client'
import { type Fragment, list, sql } from '@/lib/database/sql'
import { deliverSoon, startDelivering } from '@/lib/delivery/delivering'
import { enqueue, jsonArray, jsonEscaped, jsonObject, jsonText, jsonTextOrNull } from '@/lib/delivery/outbox'
import { callReceiver } from '@/lib/delivery/receiver'
import { type Delivery, type Outcome, outcomeOfStatus, registerSender, type Sender } from '@/lib/delivery/senders'
import { settings } from '@/lib/settings/settings'
import { isoOfMilliseconds, nowInSeconds } from '../time'
import { logIfUntrusted } from './rejections'

const webhookTypes = [
  'account.created',
  'account.renamed',
  'account.changed',
  'account.disabled',
  'account.enabled',
  'account.deleted',
  'email.changed',
  'groups.changed',
] as const

type WebhookType = (typeof webhookTypes)[number]

/**
 * The statements, none without a receiver, that enqueue a webhook for each account; they read the accounts as they are at their
 * place in the transaction. A request calls `deliverWebhooks()` after the commit; what a command enqueues, a running server
 * finds within five seconds.
 *
 * @param where a condition on "User" as `u`, false of accounts that nothing changes for
 * @param more the JSON text of members of the webhook's `data`, beside the present `id` and `username`
 */
export function announce(db: Database, type: WebhookType, where: Fragment, more: Record<string, Fragment> = {}) {
  const { webhooks } = settings()
  if (!webhooks) return []
  const rows = sql`
    SELECT u."id" AS "key", ${type} AS "type", ${webhooks.url} AS "receiver", u."id" AS "account",
      ${jsonObject({ id: jsonText(sql`u."id"`), username: jsonText(sql`u."username"`), ...more })} AS "payload"
    FROM "User" u WHERE ${where}`
  return [enqueue(db, rows)]
}

export const announceCreation = (db: Database, where: Fragment) =>
  announce(db, 'account.created', where, {
    displayName: jsonTextOrNull(jsonEscaped(sql`u."displayName"`)),
    email: jsonTextOrNull(sql`u."email"`),
    groups: jsonArray(presentGroups),
  })

const presentGroups = sql`SELECT m."groupName" AS "text" FROM "Membership" m WHERE m."userId" = u."id"`

/** Call it after the commit. */
export function deliverWebhooks(): void {
  if (settings().webhooks) deliverSoon()
}

export const isAccount = (id: string): Fragment => sql`u."id" = ${id}`

export const isAmong = (ids: string[]): Fragment => sql`u."id" IN (${list(ids)})`

/** Standard Webhooks 1.0 (https://www.standardwebhooks.com): the receiver that WEBHOOK_URL names now. */
const webhookSender: Sender = {
  receiver: () => configured().url,
  send: async (delivery, signal) => outcomeOf(await post(delivery, signal).catch(logIfUntrusted(delivery))),
}

async function post(delivery: Omit<Delivery, 'attempts'>, signal: AbortSignal): Promise<number> {
  const body = bodyOf(delivery)
  const headers = { 'Content-Type': 'application/json', ...signedHeaders(delivery.id, body) }
  return callReceiver(delivery.receiver, { headers, body, signal })
}

function configured() {
  const { webhooks } = settings()
  if (!webhooks) throw new Error('WEBHOOK_URL is not set.')
  return webhooks
}

function bodyOf({ type, createdAt, payload }: Pick<Delivery, 'type' | 'createdAt' | 'payload'>): string {
  const { groups, ...data } = JSON.parse(payload) as { groups?: string[] }
  return JSON.stringify({
    type,
    timestamp: isoOfMilliseconds(createdAt),
    data: { ...data, ...(groups && { groups: groups.sort() }) },
  })
}

/** One signature for each secret, so that the receiver may have either. The time is that of the attempt. */
function signedHeaders(id: string, body: string): Record<string, string> {
  const timestamp = nowInSeconds()
  const signatures = configured().secrets.map((secret) => {
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
    return `v1,${signature}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

const outcomeOf = (status: number): Outcome =>
  status === 410 ? { result: 'gone', error: 'answered 410: it wants no webhooks any longer' } : outcomeOfStatus(status)

/** Sends a signed event of the type `webhook.test`, once. @throws ReceiverError */
export async function tryReceiver(): Promise<number> {
  const { url } = configured()
  const now = Date.now()
  const delivery = {
    id: `test-${now}`,
    type: 'webhook.test',
    receiver: url,
    account: null,
    createdAt: now,
    payload: '{}',
    count: 1,
  }
  return post(delivery, new AbortController().signal)
}

/** Begins to deliver at startup. Does nothing without a receiver. */
export function startWebhooks(): void {
  if (!settings().webhooks) return
  registerSender(webhookTypes, webhookSender)
  startDelivering()
}
