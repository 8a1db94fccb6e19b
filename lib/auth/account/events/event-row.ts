import type { AccountEvent, EventMethod, EventType } from '@/lib/api/schemas'
import { eventRetentionMilliseconds } from '@/lib/database/dialect/expired-rows'
import type { SqlBoolean, SqlInteger } from '@/lib/database/direct-sql'
import { failureTypes } from '../../audit/security-log'
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

/** Older rows may not be deleted yet. */
export const oldestShown = () => BigInt(Date.now() - eventRetentionMilliseconds)

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
  const isFailure = failureTypes.some((one) => one === type)
  return {
    type: type as EventType,
    at: isoOfMilliseconds(at),
    method: method as EventMethod | null,
    // Earlier versions stored arbitrary text from the User-Agent.
    browser: isBrowserName(browser) ? browser : null,
    ...((isFailure || count > 1) && { count: Number(count) }),
    ...(newBrowser && { newBrowser: true as const }),
    ...(byPasskey && { byPasskey: true as const }),
    ...(app !== null && { app }),
  }
}
