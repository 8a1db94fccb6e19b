import * as z from 'zod'
import { ApiError } from '@/lib/api/errors'
import { isConflict } from '@/lib/database/errors'
import { sql, statement } from '@/lib/database/fragments'
import { jsonOf } from '@/lib/database/json-text'
import type { UserRow } from '../model/accounts'
import { emailAddress, emailKey } from '../model/email'
import { emailIdentifier } from '../model/identifiers'
import { parse } from '../model/parse'
import { announce } from '../webhooks/announce'
import { recordAsOperator } from './operator-context'
import { asOperator } from './write-as-operator'

/** The operator's word verifies it. @throws ApiError invalid_request, also if another account has it; not_found */
export async function setEmail({ id }: UserRow, given: string | null): Promise<string | null> {
  const email = given === null ? null : parse(z.object({ email: emailAddress }), { email: given }).email
  const key = email === null ? null : emailKey(email)
  const changed = sql`u."id" = ${id} AND u."email" IS DISTINCT FROM ${email}`
  const writing = asOperator(id)((db) => ({
    announcement: announce(db, 'email.changed', changed, { email: jsonOf(email) }),
    updated: statement(db, sql`UPDATE "User" AS u SET "email" = ${email} WHERE ${changed}`),
    identifier: emailIdentifier(db, id, key),
  }))
  const { updated } = await writing.catch((cause: unknown) => {
    // Write and catch: the unique key admits one of several concurrent claims.
    throw isConflict(cause)
      ? new ApiError('invalid_request', { cause, fields: { email: { key: 'email_taken' } } })
      : cause
  })
  if (updated === 1) await recordAsOperator(id, 'email_changed')
  return email
}
