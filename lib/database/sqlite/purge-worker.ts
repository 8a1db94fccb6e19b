import { parentPort, workerData } from 'node:worker_threads'
import type { Pace } from '../batches'
import { type Expired, removeExpired } from '../expired-rows'
import type { PurgeTask } from './dialect'
import { openDatabase } from './driver'

/** The time that this thread waits for other writers: long, since nobody waits for it. */
const busyMilliseconds = 5_000

/**
 * Aims at batches so short that a request hardly ever meets the write lock. The smallest takes a millisecond of work; the rest is
 * the disk's time.
 */
const pace = { min: 100, aimMilliseconds: 2, pauseFactor: 2 } satisfies Partial<Pace>

/** Deletes by the rowid, which the time's index contains, so that SQLite looks up no key. */
const removal = ({ table, time }: Expired) =>
  `DELETE FROM "${table}" WHERE "rowid" IN
    (SELECT "rowid" FROM "${table}" WHERE "${time}" < ? ORDER BY "${time}" LIMIT ?)`

const { file, now } = workerData as PurgeTask
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort()).unref()

const database = await openDatabase(file, busyMilliseconds)
// A power cut may bring expired rows back, so no batch waits for the disk with the write lock. Checkpoints at a quarter
// of the usual size happen here and not in a request.
database.exec('PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 250')
try {
  const remove = async (rows: Expired, max: number) =>
    Number(database.prepare(removal(rows)).run(rows.before, max).changes)
  await removeExpired({ pace, remove }, now, stopping.signal)
} finally {
  database.close()
}
