import * as z from 'zod'
import { limits } from '../limits'
import { displayName, user } from './account'
import { event } from './events'
import { fieldError, time } from './fields'
import { passkey } from './passkeys'
import { liveSession } from './sessions'

/*
 * What operators send and get: the commands print what the endpoints below /api/admin answer. Unknown fields are faults, since a
 * misspelled one would do something else than its sender means.
 */

const invalid = fieldError({ key: 'invalid' })
/** An id or a name of what there may be; PostgreSQL fails on NUL. */
const reference = z
  .string(invalid)
  .min(1, invalid)
  .max(limits.reference, invalid)
  .refine((text) => text.isWellFormed() && !text.includes('\0'), invalid)

/** Of lists that have pages. */
const page = {
  after: z
    .string(invalid)
    .max(limits.eventCursor, invalid)
    .optional()
    .meta({ description: '`after` of the page before' }),
  limit: z.int(invalid).min(1, invalid).max(limits.adminPage, invalid).optional(),
}

export const accountInput = z.strictObject({ id: reference })
export const showAccountInput = z
  .strictObject({ id: reference.optional(), username: reference.optional() })
  .refine(({ id, username }) => (id === undefined) !== (username === undefined), { error: invalid, path: ['id'] })

export const nameAccountInput = z.strictObject({ id: reference, displayName: displayName.nullable() })

export const listedAccount = user.extend({
  passkeys: z.array(passkey),
  hasPassword: z.boolean(),
  disabled: z.boolean(),
})

export const shownAccount = listedAccount.extend({
  email: z.string().nullable(),
  groups: z.array(z.string()),
  userHandle: z.string(),
  passwordSetAt: time.nullable(),
  recoveryCodesLeft: z.int(),
  recoveryCodesMadeAt: time.nullable(),
  sessions: z.array(liveSession.omit({ current: true })),
  events: z.array(event),
})

export const changedAccount = z.object({ user })

export const listLogInput = z.strictObject({ ...page, by: reference.optional(), account: reference.optional() })
export const logEntry = z.object({
  at: time,
  /** The administrator's id, or `key:` and the name of the key; null for a command with the database. */
  by: z.string().nullable(),
  /** An event of the security log. */
  what: z.string(),
  account: z.string().nullable(),
  app: z.string().nullable(),
  group: z.string().nullable(),
})
export const operatorLog = z.object({ log: z.array(logEntry), after: z.string().nullable() })

export type ListedAccount = z.infer<typeof listedAccount>
export type ShownAccount = z.infer<typeof shownAccount>
export type LogEntry = z.infer<typeof logEntry>
