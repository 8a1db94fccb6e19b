import type { Dialect } from '../dialect/dialect'
import { type Expired, removeExpired } from '../dialect/expired-rows'

/** A request that renews a rate limit waits for a batch at most. */
const pace = { least: 250, most: 2_000, aimMilliseconds: 10 }

const bigint = { scalarType: 'bigint', arity: 'scalar' } as const

export const purge: Dialect['purge'] = ({ adapter, textOf }, now, signal) => {
  const remove = (rows: Expired, most: number) =>
    adapter.executeRaw({ sql: textOf(removal(rows)), args: [rows.before, most], argTypes: [bigint, bigint] })
  return removeExpired({ pace, remove }, now, signal)
}

/**
 * The lock makes it leave a row that a request renews meanwhile, and two instances share the rows instead of waiting for
 * each other. An array, because a subquery under a join could run several times and lock other rows each time.
 */
const removal = ({ table, time }: Expired) => [
  `DELETE FROM "${table}" WHERE "ctid" = ANY(ARRAY
    (SELECT "ctid" FROM "${table}" WHERE "${time}" < `,
  ` ORDER BY "${time}" LIMIT `,
  ' FOR UPDATE SKIP LOCKED))',
]
