import * as z from 'zod'
import { limits } from '../limits'
import { failureEvents } from '../names'
import { method } from './account'
import { fieldError, text, time } from './fields'

/** How an event came about: what was shown, or an operator's command. */
const eventMethod = z.enum([...method.options, 'operator'])

/** Who came in, or tried to. Counted by the hour: one event stands for `count` of them. */
const signInEvents = ['account_created', 'signed_in', 'reauthenticated', ...failureEvents] as const
/** What was done to the account. */
const changeEvents = [
  'passkey_added',
  'passkey_removed',
  'username_changed',
  'name_changed',
  'email_changed',
  'groups_changed',
  'password_changed',
  'password_removed',
  'recovery_codes_made',
  'recovery_asked',
  'recovery_stopped',
  'recovered',
  'signed_out_everywhere',
  'session_revoked',
  'account_disabled',
  'account_enabled',
  'app_allowed',
  'app_removed',
  'refresh_token_reused',
  'signed_out_by_app',
] as const

export const eventKind = z.enum(['sign_ins', 'changes'])

export const eventKindOf = (type: EventType): EventKind =>
  signInEvents.some((one) => one === type) ? 'sign_ins' : 'changes'

export const eventsInput = z.object({
  /** `next` of the page before. */
  before: text.max(limits.eventCursor, fieldError({ key: 'invalid' })).optional(),
  /** Both without it. */
  kind: eventKind.optional(),
})

export const event = z.object({
  type: z.enum([...signInEvents, ...changeEvents]),
  /** Of the last of them, if the event stands for several. */
  at: time,
  method: eventMethod.nullable(),
  /** A browser and its system by their common names; null if unrecognized. */
  browser: z.string().nullable(),
  /** How many attempts or sign-ins of an hour the event stands for; always with failures, else from two up. */
  count: z.int().exactOptional(),
  /** A sign-in from a browser that brought no sign of having signed in to the account before. */
  newBrowser: z.literal(true).exactOptional(),
  /** A change in a session that a passkey opened. */
  byPasskey: z.literal(true).exactOptional(),
  /** The name, at that time, of the app that was let in or lost its access. */
  app: z.string().exactOptional(),
})
export const events = z.object({
  events: z.array(event).max(limits.events),
  more: z.boolean(),
  /** Opaque: `before` of the next page, if there are more. */
  next: z.string().exactOptional(),
})
export const notableEvents = z.object({ events: z.array(event) })

export const dismissNoticesInput = z.object({
  /** `at` of the newest event that the owner was shown. */
  until: z.iso.datetime(fieldError({ key: 'invalid' })),
})
export const dismissedNotices = z.object({
  /** Whether `/api/i/notices` lists none of them any more. */
  everywhere: z.boolean(),
})

export type EventMethod = z.infer<typeof eventMethod>
export type AccountEvent = z.infer<typeof event>
export type EventType = AccountEvent['type']
export type EventKind = z.infer<typeof eventKind>
export type EventPage = z.infer<typeof events>
