import { ApiError } from '@/lib/api/errors'
import { recorder } from '@/lib/process/recorder'
import { recordEvent } from '../audit/events'
import { isDisabled, type UserRow, type UserWithEpoch } from '../model/accounts'
import type { RequestContext } from '../model/request-context'
import { nowInSeconds } from '../model/time'
import type { Claims } from '../tokens/claims'
import { isConsumed } from '../tokens/consumed-tokens'
import { readDevice } from '../tokens/device-token'
import { readToken } from '../tokens/tokens'
import { type ExpectedCredential, insertSessionRecord } from './insert-session-record'
import { issueSessionTokens, issueStepUp, type OpenedSession } from './issue-session-tokens'
import { type NewSessionRecord, newSessionRecord, type SessionRecord } from './session-records'

interface ShownCredential extends ExpectedCredential {
  method: SessionRecord['method']
  passkeyId?: string | null
  /** False for a passkey that could have verified its user and did not. */
  givesStepUp?: boolean
  userVerified?: boolean
  isNew?: boolean
}

/**
 * Revokes the request's session, too: a planted token must not outlive a sign-in (session fixation).
 *
 * @throws ApiError authentication_failed if the credential was removed meanwhile; account_disabled
 */
export async function openSession(
  user: UserWithEpoch,
  { method, passkeyId = null, userVerified = false, givesStepUp = true, isNew = false, ...expected }: ShownCredential,
  context: RequestContext,
): Promise<OpenedSession> {
  const replaced = context.session === null ? null : await readToken('session', context.session)
  const continued = await continuedSession(user, replaced)
  const record = newSessionRecord(user, { method, passkeyId, userVerified, isNew }, continued, context)
  const { inserted, revoked } = await insertSessionRecord(record, replaced, expected)
  if (!inserted) throw await rejection(user)
  const device = await readDevice(user.id, context)
  // Issued as of when the credential was shown, so that the session has its whole lifetime.
  const opened = await issueSessionTokens(user, record, device, Number(record.openedAt) / 1000)
  if (isNew) recorder()?.count('latchkey.sign_ups', {})
  const type = isNew ? 'account_created' : revoked && continued ? 'reauthenticated' : 'signed_in'
  await recordEvent(user.id, type, context, {
    method,
    device: device?.jti ?? null,
    newBrowser: !isNew && device === null,
  })
  return { ...opened, stepUp: givesStepUp ? await issueStepUp(record) : null }
}

/** The session that a sign-in reauthenticates: the request's, if it is one of the account. One that is over has no successor. */
export async function continuedSession(
  user: UserWithEpoch,
  shown: Claims<'session'> | null,
): Promise<Claims<'session'> | null> {
  const continues = shown?.sub === user.id && shown.epoch === user.sessionEpoch
  return continues && !(await isConsumed(shown.jti)) ? shown : null
}

/** Only after a valid credential: nobody else may learn that the account is disabled. */
const rejection = async ({ id }: UserRow) =>
  new ApiError((await isDisabled(id)) ? 'account_disabled' : 'authentication_failed')

/** Of a session that was given in place of another. Without a step-up token, since no credential was shown. */
export async function issueRenewed(
  user: UserRow,
  record: NewSessionRecord,
  context: RequestContext,
): Promise<OpenedSession> {
  const device = await readDevice(user.id, context)
  return { ...(await issueSessionTokens(user, record, device, nowInSeconds())), stepUp: null }
}
