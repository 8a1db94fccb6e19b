import { isFailureEvent } from '@/lib/api/failure-events'
import type { AccountEvent, EventMethod, EventType } from '@/lib/api/schemas'
import type { SqlBoolean, SqlInteger } from '@/lib/database/direct-sql'
import { isBrowserName } from '../../model/browser-name'
import { isoOfMilliseconds } from '../../model/time'

export interface EventRow {
  id: string
  type: string
  method: string | null
  browser: string | null
  newBrowser: SqlBoolean
  byPasskey: SqlBoolean
  app: string | null
  count: number
  at: SqlInteger
}

export function describeEvent({
  type,
  at,
  method,
  browser,
  newBrowser,
  byPasskey,
  app,
  count,
}: EventRow): AccountEvent {
  return {
    type: type as EventType,
    at: isoOfMilliseconds(at),
    method: method as EventMethod | null,
    // Earlier versions stored arbitrary text from the User-Agent.
    browser: isBrowserName(browser) ? browser : null,
    ...((isFailureEvent(type) || count > 1) && { count: Number(count) }),
    ...(newBrowser && { newBrowser: true as const }),
    ...(byPasskey && { byPasskey: true as const }),
    ...(app !== null && { app }),
  }
}
