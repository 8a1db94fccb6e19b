import type { Database } from '@/lib/database/client'
import type { Fragment } from '@/lib/database/fragments'
import type { Results, Statements } from '@/lib/database/transaction'
import { deliverLogouts, enqueueSessionLogouts } from './logouts'
import type { Writer } from './write-as-session'

type Logouts = ReturnType<typeof enqueueSessionLogouts>

/** The caller's statements, under other names than those of the logouts. */
type Own = Statements & { [K in keyof Logouts]?: never }

/**
 * Runs writes that end sessions. The logouts of apps come last, and are delivered after the commit.
 *
 * @param ended which sessions can have: `endedOfAccount` or `endedOfRoots`
 */
export async function writeWithLogouts<S extends Own>(
  write: Writer,
  ended: Fragment,
  statements: (db: Database) => S,
): Promise<Results<S>> {
  const results = await write((db): Logouts => ({ ...statements(db), ...enqueueSessionLogouts(db, ended) }))
  deliverLogouts(results.logouts)
  return results as Results<Logouts> & Results<S>
}
