import type { Pace } from '../batches'
import type { Dialect } from '../dialect/dialect'
import { type Expired, removeExpired } from '../dialect/expired-rows'
import { amongUnlocked } from './among-unlocked'

/** A request that renews a rate limit waits for one batch at most. */
const pace = { min: 250, max: 2_000, aimMilliseconds: 10 } satisfies Partial<Pace>

const bigint = { scalarType: 'bigint', arity: 'scalar' } as const

export const purge: Dialect['purge'] = ({ adapter, textOf }, now, signal) => {
  const remove = (rows: Expired, max: number) =>
    adapter.executeRaw({ sql: textOf(removal(rows)), args: [rows.before, max], argTypes: [bigint, bigint] })
  return removeExpired({ pace, remove }, now, signal)
}

const [before, after] = amongUnlocked

/** Rows renewed meanwhile stay, and two instances share the rows without waiting for each other. */
const removal = ({ table, time }: Expired) => [
  `DELETE FROM "${table}" WHERE "ctid" ${before}SELECT "ctid" FROM "${table}" WHERE "${time}" < `,
  ` ORDER BY "${time}" LIMIT `,
  after,
]
