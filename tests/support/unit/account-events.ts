import type { AccountEvent, EventType } from '@/lib/api/schemas'

/** Events as the list of them has them: from the newest, at noon, to the oldest, a minute apart, each with these defaults. */
export const listedEvents =
  (defaults: Pick<AccountEvent, 'type' | 'method' | 'browser'>) =>
  (...types: (EventType | Partial<AccountEvent>)[]): AccountEvent[] =>
    types.map((one, index) => ({
      ...defaults,
      at: new Date(noon - index * 60_000).toISOString(),
      ...(typeof one === 'string' ? { type: one } : one),
    }))

/** When the newest of them was. */
export const noon = Date.UTC(2026, 10, 21, 12)
