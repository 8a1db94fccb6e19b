import { createHmac } from 'node:crypto'
import { callReceiver } from '@/lib/delivery/receiver'
import { type Delivery, type Outcome, outcomeOfStatus, type Sender } from '@/lib/delivery/senders'
import { settings } from '@/lib/settings/settings'
import { logIfUntrusted } from '../audit/log-rejection'
import { isoOfMilliseconds, nowInSeconds } from '../model/time'

/** Standard Webhooks 1.0 (https://www.standardwebhooks.com): the receiver that WEBHOOK_URL names now. */
export const webhookSender: Sender = {
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
  }
  return post(delivery, new AbortController().signal)
}
