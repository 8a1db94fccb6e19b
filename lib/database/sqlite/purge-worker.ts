import { parentPort, workerData } from 'node:worker_threads'
import { type Expired, removeExpired } from '../dialect/expired-rows'
import { openDatabase } from './driver'
import type { PurgeTask } from './purge'

/** Nobody waits for this thread, so it may wait long for the writers of the others. */
const busyMilliseconds = 5_000

/** So short that a request hardly ever meets the write lock. The least takes a millisecond of work; the rest is the disk's. */
const pace = { least: 100, aimMilliseconds: 2, rest: 2 }

/** The index on the time has the row's number, so that no key is looked up. */
const removal = ({ table, time }: Expired) =>
  `DELETE FROM "${table}" WHERE "rowid" IN
    (SELECT "rowid" FROM "${table}" WHERE "${time}" < ? ORDER BY "${time}" LIMIT ?)`

const { file, now } = workerData as PurgeTask
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort()).unref()

const database = await openDatabase(file, busyMilliseconds)
// Nothing is lost if a power cut brings expired rows back, so no batch waits for the disk with the write lock. Checkpoints at a
// quarter of the usual size happen here and not in a request.
database.exec('PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 250')
try {
  const remove = async (rows: Expired, most: number) =>
    Number(database.prepare(removal(rows)).run(rows.before, most).changes)
  await removeExpired({ pace, remove }, now, stopping.signal)
} finally {
  database.close()
}
