import type { EventPage } from '@/lib/api/schemas'
import { pageNamespace } from '@/lib/messages/browser-words'
import type { Outcome } from '../failures/outcomes'
import { runAction } from '../failures/run-action'
import { post } from '../requests/post'

/** Fetches the page of events before `before`, or without it the newest, and passes it to `onFetched`. */
export const fetchEvents = (before: string | undefined, onFetched: (page: EventPage) => void): Promise<Outcome> =>
  runAction(async () => onFetched(await post('/api/i/events', before === undefined ? {} : { before })), {
    title: pageNamespace('activity').moreFailed,
  })
