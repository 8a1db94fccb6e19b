import { startDelivering } from '@/lib/delivery/delivering'
import { registerSender } from '@/lib/delivery/senders'
import { settings } from '@/lib/settings/settings'
import { webhookTypes } from './announce'
import { webhookSender } from './sender'

/** At startup. Does nothing without a receiver. */
export function startWebhooks(): void {
  if (!settings().webhooks) return
  registerSender(webhookTypes, webhookSender)
  startDelivering()
}
