import type { Database } from '@/lib/database/client'
import { type Fragment, list, sql } from '@/lib/database/fragments'
import { jsonArray, jsonObject, jsonText, jsonTextOrNull } from '@/lib/database/json-text'
import { deliverSoon } from '@/lib/delivery/delivering'
import { enqueue } from '@/lib/delivery/outbox'
import { settings } from '@/lib/settings/settings'

export const webhookTypes = [
  'account.created',
  'account.renamed',
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
  announce(db, 'account.created', where, { email: jsonTextOrNull(sql`u."email"`), groups: jsonArray(presentGroups) })

const presentGroups = sql`SELECT m."groupName" AS "text" FROM "Membership" m WHERE m."userId" = u."id"`

/** Call it after the commit. */
export function deliverWebhooks(): void {
  if (settings().webhooks) deliverSoon()
}

export const isAccount = (id: string): Fragment => sql`u."id" = ${id}`

export const isAmong = (ids: string[]): Fragment => sql`u."id" IN (${list(ids)})`
