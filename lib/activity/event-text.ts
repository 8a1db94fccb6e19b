import type { AccountEvent, EventMethod } from '@/lib/api/schemas'
import type { Words } from '@/lib/messages/en'
import { fill } from '@/lib/messages/format/text'
import type { Locale } from '@/lib/messages/locales'
import type { Message } from '@/lib/messages/message'

/** Names the operator as the cause of an event that owners can cause, too. */
export const byOperator = ({ locale, words }: ActivityWords, event: string, method: EventMethod | null) =>
  method === 'operator' ? fill(locale, words.byOperator, { event }) : event

export interface ActivityWords {
  locale: Locale
  words: Words['activity']
}

/** Says an event in words; an unknown type by its name. */
export function eventText(activity: ActivityWords, { type, method, count = 1, app = '' }: AccountEvent): string {
  const { locale, words } = activity
  const messages: Record<string, Message> = words.events
  const message = messages[type] ?? type.replaceAll('_', ' ')
  const withMethod = method === null || method === 'operator' ? '' : words.methods[method]
  const event = fill(locale, message as '{count} {method} {app}', { count, method: withMethod, app }).trim()
  const isCounted = typeof message !== 'string' || count === 1
  return byOperator(activity, isCounted ? event : fill(locale, words.times, { event, count }), method)
}
