import { parentPort, workerData } from 'node:worker_threads'
import { removeExpired, sqliteStatement } from '@/lib/database/expired-rows'
import { openDatabase } from './driver'
import type { PurgeTask } from './purge-in-thread'

/** Nobody waits for this thread, so it may wait long for the writers of the others. */
const busyMilliseconds = 5_000

/** So short that a request hardly ever meets the write lock. The least takes a millisecond of work; the rest is the disk's. */
const pace = { least: 100, aimMilliseconds: 2, rest: 2 }

const { file, now } = workerData as PurgeTask
const stopping = new AbortController()
parentPort?.once('message', () => stopping.abort()).unref()

const database = await openDatabase(file, busyMilliseconds)
// Nothing is lost if a power cut brings expired rows back, so no batch waits for the disk with the write lock. Checkpoints at a
// quarter of the usual size happen here and not in a request.
database.exec('PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON; PRAGMA wal_autocheckpoint = 250')
try {
  const execute = async (sql: string, before: bigint, most: number) =>
    Number(database.prepare(sql).run(before, most).changes)
  await removeExpired({ statement: sqliteStatement, pace, execute }, now, stopping.signal)
} finally {
  database.close()
}
