import { logIfUntrusted } from '@/lib/auth/audit/rejections'
import { type LogoutPayload, logoutMessage } from '@/lib/auth/sessions/logouts'
import { nowInSeconds } from '@/lib/auth/time'
import { readRows } from '@/lib/database/sql'
import { startDelivering } from '@/lib/delivery/delivering'
import { callReceiver } from '@/lib/delivery/receiver'
import { type Delivery, type Outcome, outcomeOfStatus, registerSender, type Sender } from '@/lib/delivery/senders'
import { settings } from '@/lib/settings/settings'
import { findApp } from '../apps/find'
import { publicSessionId, sign } from '../tokens/issue'
import { signingKey } from '../tokens/signing-keys'

/**
 * Starts to deliver logouts at startup, because another process, such as a command, may give any app a back channel and end the
 * sessions that this one notifies apps of.
 */
export async function startBackChannel(): Promise<void> {
  registerSender([logoutMessage], logoutSender)
  // A process that does not live polls nothing, and a build may not have migrated the database yet.
  if (!settings().processLives) return
  const apps = await readRows`SELECT 1 AS "found" FROM "App" a LIMIT 1`
  if (apps.length > 0) startDelivering()
}

/** Allows for clock skew; each attempt signs a new token. */
const logoutTokenSeconds = 120

/** Notifies an app that a session has ended, or all of an account (OpenID Connect Back-Channel Logout 1.0). */
const logoutSender: Sender = {
  receiver: async ({ payload, receiver }) => (await findApp(payloadOf(payload).app))?.backChannelUri ?? receiver,
  async send({ id, account, payload }, signal) {
    const { app: appId, root } = payloadOf(payload)
    const app = await findApp(appId)
    if (!app?.backChannelUri) return { result: 'failed', error: 'the app has no back-channel URI any more' }
    const token = await logoutToken({ id, account, appId, root })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams({ logout_token: token }).toString()
    const calling = callReceiver(app.backChannelUri, { headers, body, signal })
    const status = await calling.catch(logIfUntrusted({ id, account }, appId))
    return outcomeOf(status)
  },
}

const payloadOf = (payload: string) => JSON.parse(payload) as LogoutPayload

type Subject = Pick<Delivery, 'id' | 'account'> & { appId: string; root: string | undefined }

/** `jti` stays the same for all attempts, so that the app recognizes a repetition. */
async function logoutToken({ id, account, appId, root }: Subject) {
  const iat = nowInSeconds()
  const claims = {
    iss: settings().origins[0],
    aud: appId,
    sub: account,
    ...(root !== undefined && { sid: publicSessionId(root) }),
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    jti: id,
    iat,
    exp: iat + logoutTokenSeconds,
  }
  return sign('logout+jwt', claims, await signingKey())
}

/** 400: the app rejects the token (section 2.8), and would reject the next one. */
const outcomeOf = (status: number): Outcome =>
  status === 400
    ? { result: 'failed', error: 'answered 400: the app rejects the logout token' }
    : outcomeOfStatus(status)
