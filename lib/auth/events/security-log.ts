import type { FailureEvent } from '@/lib/api/names'
import type { EventMethod, EventType } from '@/lib/api/schemas'
import { log } from '@/lib/process/log'
import { keyedDigest } from '@/lib/settings/keys'
import { usernameKey } from '../account'
import type { EventContext } from '../request'

type Outcome = 'success' | 'failure' | 'rejected'

/**
 * Every event of the security log; docs/security-log.md explains them. Owners see failures counted by the hour; the log has a line
 * for each attempt instead.
 */
export const securityEvents = {
  account_created: 'success',
  signed_in: 'success',
  reauthenticated: 'success',
  signed_out: 'success',
  signed_out_everywhere: 'success',
  session_revoked: 'success',
  passkey_added: 'success',
  passkey_removed: 'success',
  password_changed: 'success',
  password_removed: 'success',
  recovery_codes_made: 'success',
  recovery_asked: 'success',
  recovery_stopped: 'success',
  recovered: 'success',
  username_changed: 'success',
  name_changed: 'success',
  email_changed: 'success',
  groups_changed: 'success',
  group_added: 'success',
  group_deleted: 'success',
  account_disabled: 'success',
  account_enabled: 'success',
  account_deleted: 'success',
  accounts_imported: 'success',
  invitation_made: 'success',
  invitation_withdrawn: 'success',
  backup_restored: 'success',
  authentication_failed: 'failure',
  throttled: 'rejected',
  step_up_missing: 'rejected',
  disabled_account: 'rejected',
  foreign_origin: 'rejected',
  invalid_request: 'rejected',
  not_signed_in: 'rejected',
  not_owned: 'rejected',
  forged_token: 'rejected',
  counter_went_back: 'failure',
  backup_eligibility_changed: 'success',
  synced_counter_went_back: 'success',
  administrator_added: 'success',
  administrator_removed: 'success',
  key_added: 'success',
  key_deleted: 'success',
  delivery_retried: 'success',
  letter_tried: 'success',
  app_registered: 'success',
  app_changed: 'success',
  app_secret_changed: 'success',
  app_deleted: 'success',
  api_registered: 'success',
  api_changed: 'success',
  api_deleted: 'success',
  app_rejected: 'failure',
  app_refused: 'rejected',
  app_allowed: 'success',
  app_removed: 'success',
  signed_in_to_app: 'success',
  refresh_token_reused: 'failure',
  signed_out_by_app: 'success',
  code_reused: 'failure',
  receiver_untrusted: 'failure',
} as const satisfies Record<Exclude<EventType, FailureEvent>, Outcome> & Record<string, Outcome>

export type SecurityEvent = keyof typeof securityEvents

/** `username` is what was typed; only its digest is logged. */
export interface Subject {
  account?: string | null
  username?: string
  method?: EventMethod | null
  /** The administrator's id, or `key:` and the name of a key; none for a command */
  by?: string | null
  /** The name of an operator's key */
  key?: string
  /** The app's id; of an API, its identifier */
  app?: string
  /** Why an app was refused something, or a receiver was not trusted: a word of a closed list */
  reason?: string
  /** The URI that an app has not registered: bounded, in visible ASCII */
  uri?: string
  /** The accounts of an operator's command, or the requests, that the line stands for */
  count?: number
  /** How many pairs of account and network sent the requests that are counted */
  sources?: number
  /** How many of them the pair of this line sent */
  most?: number
}

/** Writes one line, which contains no secret, and of what a client sent nothing but `uri`. */
export function logSecurityEvent(event: SecurityEvent, origin: EventContext, subject: Subject = {}): void {
  const { account = null, username, method, by, key, app, reason, uri, count, sources, most } = subject
  // Always computed: timing must not reveal whether the account exists.
  const name = username === undefined ? undefined : digest(username)
  const outcome = securityEvents[event]
  log()[outcome === 'success' ? 'info' : 'warn']({
    event,
    outcome,
    account,
    ...(account === null && name !== undefined && { name }),
    ...(method && { method }),
    ...(by && { by }),
    ...(key !== undefined && { key }),
    ...(app !== undefined && { app }),
    ...(reason !== undefined && { reason }),
    ...(uri !== undefined && { uri }),
    ...(count !== undefined && { count }),
    ...(sources !== undefined && { sources, most }),
    address: origin.address,
    request: origin.requestId,
  })
}

/** Unknown usernames are often passwords typed into the wrong field. */
const digest = (username: string) => keyedDigest('latchkey/security-log', usernameKey(username))
