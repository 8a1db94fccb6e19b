import type { Database } from '@/lib/database/client'
import { type Fragment, list, sql } from '@/lib/database/fragments'
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

/** The members of the webhook's `data`, by name: SQL that makes the JSON text of each. */
type Members = Record<string, Fragment>

/**
 * The statements, none without a receiver, that enqueue a webhook for each account; they read the accounts as they are at their
 * place in the transaction. A request calls `deliverWebhooks()` after the commit; what a command enqueues, a running server
 * finds within five seconds.
 *
 * @param where a condition on "User" as `u`, false of accounts that nothing changes for
 * @param more members beside the present `id` and `username`
 */
export function announce(db: Database, type: WebhookType, where: Fragment, more: Members = {}) {
  const { webhooks } = settings()
  if (!webhooks) return []
  const rows = sql`
    SELECT u."id" AS "key", ${type} AS "type", ${webhooks.url} AS "receiver", u."id" AS "account",
      ${objectOf({ id: jsonText(sql`u."id"`), username: jsonText(sql`u."username"`), ...more })} AS "payload"
    FROM "User" u WHERE ${where}`
  return [enqueue(db, rows)]
}

/** Call it after the commit. */
export function deliverWebhooks(): void {
  if (settings().webhooks) deliverSoon()
}

export const oneAccount = (id: string): Fragment => sql`u."id" = ${id}`

export const anyOf = (ids: string[]): Fragment => sql`u."id" IN (${list(ids)})`

/** SQL in common has no function for JSON. Ids, usernames, e-mail addresses and groups have no character that it escapes. */
export const jsonText = (text: Fragment): Fragment => sql`'"' || ${text} || '"'`

export const jsonOf = (text: string | null): Fragment => sql`CAST(${JSON.stringify(text)} AS TEXT)`

export const namesOf = (names: Fragment): Fragment => sql`
  '[' || COALESCE((SELECT '"' || string_agg(n."name", '","') || '"' FROM (${names}) n), '') || ']'`

export const groupsNow = namesOf(sql`SELECT m."groupName" AS "name" FROM "Membership" m WHERE m."userId" = u."id"`)

export const emailNow = sql`COALESCE('"' || u."email" || '"', 'null')`

function objectOf(members: Members): Fragment {
  const [first, ...rest] = Object.entries(members).map(([name, json]) => sql`${JSON.stringify(name)} || ':' || ${json}`)
  return sql`'{' || ${rest.reduce((text, member) => sql`${text} || ',' || ${member}`, first ?? sql`''`)} || '}'`
}
