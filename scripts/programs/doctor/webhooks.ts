import { tryReceiver } from '@/lib/auth/webhooks/sender'
import { isReceiverError } from '@/lib/delivery/receiver-error'
import type { Settings } from '@/lib/settings/schema'
import { type Finding, fail, ok, warn } from './finding'

/** Sends the receiver one event, of a type that is used for nothing else. */
export async function checkWebhooks({ webhooks, cronSecret, processLives }: Settings): Promise<Finding[]> {
  const findings: Finding[] = []
  if (cronSecret === undefined && !processLives)
    findings.push(
      warn(
        'on Vercel, nothing repeats a failed webhook or removes what has expired: set CRON_SECRET and a cron job for /api/deliver',
      ),
    )
  if (!webhooks) return findings
  const status = await tryReceiver().catch((error: unknown) => {
    throw isReceiverError(error) ? new Error(`WEBHOOK_URL: ${error.message}`) : error
  })
  if (status >= 200 && status < 300)
    findings.push(ok(`the receiver answered ${status} to an event of the type webhook.test`))
  else findings.push(fail(`the receiver answered ${status}${hintOf(status)}; check WEBHOOK_URL`))
  if (webhooks.secrets.length > 1)
    findings.push(ok('two secrets sign; when the receiver has the new one, remove the other from WEBHOOK_SECRET'))
  return findings
}

function hintOf(status: number): string {
  if (status === 401 || status === 403) return ', so it may have another secret than WEBHOOK_SECRET'
  if (status === 410) return ', which ends webhooks'
  return status >= 300 && status < 400 ? ', and redirects are not followed' : ''
}
