import { setTimeout as pause } from 'node:timers/promises'
import { inBatches, type Pace } from '@/lib/database/batches'
import { type Database, database } from '@/lib/database/client'
import { isExpensive } from '@/lib/fair-queue/queued-job'
import { settings } from '@/lib/settings/settings'
import { comparisonWork } from '../../passwords/imported-hash'
import { logAsOperator } from '../operator-context'
import { releasableUsernames } from '../reassign-username'
import { isWeak } from './hash'
import { conflictOf, insertAccounts } from './insert-accounts'
import { linesOf } from './lines'
import { type ImportedAccount, readRow } from './row'

export interface ImportProgress {
  bytes: number
  created: number
  /** Rows skipped because their username exists already. */
  existing: number
  rejected: number
  /** Created accounts whose password takes at least twice as long to compare as one of ours. */
  dearer: number
  /** Created accounts whose password hash is easier to crack than guidelines allow */
  weak: number
}

interface Watcher {
  rejected(line: number, reason: string): void
  progress(progress: ImportProgress): void
}

/** Fewer than 50 rows would hold the lock as long: the rest is the disk's time. */
const pace = { min: 50, max: 100, aimMilliseconds: 20 } satisfies Partial<Pace>

type Row = ImportedAccount & { line: number }

/** NDJSON (docs/migrate.md), in batches beside a running server. An interrupted import can be run again. */
export async function importAccounts(input: AsyncIterable<Buffer>, watcher: Watcher): Promise<ImportProgress> {
  const done = { bytes: 0, created: 0, existing: 0, rejected: 0, dearer: 0, weak: 0 }
  const reject = (line: number, reason: string) => {
    done.rejected += 1
    watcher.rejected(line, reason)
  }
  const rows = validRows(
    linesOf(input, (bytes) => (done.bytes += bytes)),
    reject,
  )
  const db = await database()
  try {
    await inBatches(async (size) => {
      const batch = await take(rows, size)
      if (batch.length === 0) return { isLast: true }
      const lockMilliseconds = await write(db, batch, done, reject)
      watcher.progress(done)
      return { isLast: false, lockMilliseconds }
    }, pace)
  } catch (error) {
    if (done.created > 0) logImport(done)
    throw error
  }
  logImport(done)
  return done
}

const logImport = ({ created }: ImportProgress) => logAsOperator('accounts_imported', { count: created })

async function* validRows(lines: ReturnType<typeof linesOf>, reject: Watcher['rejected']): AsyncGenerator<Row> {
  for await (const { line, text } of lines) {
    const read = text === null ? { reason: 'the row: is longer than 1 MiB' } : readRow(text)
    if ('reason' in read) reject(line, read.reason)
    else yield { line, ...read.account }
  }
}

async function take<T>(rows: AsyncGenerator<T>, count: number): Promise<T[]> {
  const taken: T[] = []
  while (taken.length < count) {
    const { value, done } = await rows.next()
    if (done) break
    taken.push(value)
  }
  return taken
}

/** @returns milliseconds of holding the write lock, without those that it has paused for */
async function write(db: Database, batch: Row[], done: ImportProgress, reject: Watcher['rejected']): Promise<number> {
  const names = batch.map(({ user }) => user.usernameKey)
  // Only a hint, so that repeating an import is cheap: on insert, the unique keys decide.
  const existing = await db.user.findMany({ where: { usernameKey: { in: names } }, select: { usernameKey: true } })
  const taken = new Set(existing.map(({ usernameKey }) => usernameKey))
  const rows = batch.filter(({ user }) => !taken.has(user.usernameKey))
  done.existing += batch.length - rows.length
  const releasable = await releasableUsernames(db, names)
  const start = performance.now()
  const inserted = await insertAccounts(db, rows, releasable)
  const lockMilliseconds = performance.now() - start
  if (inserted) {
    countCreated(done, rows)
    return lockMilliseconds
  }
  await pause(lockMilliseconds)
  for (const row of rows) {
    const rowStart = performance.now()
    const conflict = (await insertAccounts(db, [row], releasable)) ? null : await conflictOf(db, row)
    if (conflict === null) countCreated(done, [row])
    else if (conflict.reason === null) done.existing += 1
    else reject(row.line, conflict.reason)
    await pause(performance.now() - rowStart)
  }
  return 0
}

function countCreated(done: ImportProgress, rows: Row[]) {
  const cost = settings().bcryptCost
  const hasExpensiveHash = ({ passwordHash }: Row['user']) =>
    passwordHash !== null && isExpensive({ work: comparisonWork(passwordHash, cost) })
  done.created += rows.length
  done.dearer += rows.filter(({ user }) => hasExpensiveHash(user)).length
  done.weak += rows.filter(({ user }) => user.passwordHash !== null && isWeak(user.passwordHash)).length
}
