import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import { ownFile } from '@/lib/process/files'
import { databaseFile } from '@/lib/settings/deployment'
import { settings } from '@/lib/settings/settings'
import { type Dialect, expiredAt } from '../dialect'

export const purge: Dialect['purge'] = async ({ adapter }, now, signal) => {
  // Most often nothing has expired, and starting a thread costs more than looking.
  if (await anyExpired(adapter, now)) await purgeInThread(databaseFile(settings().databaseUrl), now, signal)
}

async function anyExpired(adapter: SqlDriverAdapter, now: number): Promise<boolean> {
  for (const { table, time, before } of expiredAt(now)) {
    const sql = `SELECT 1 FROM "${table}" WHERE "${time}" < ? LIMIT 1`
    const { rows } = await adapter.queryRaw({
      sql,
      args: [before],
      argTypes: [{ scalarType: 'bigint', arity: 'scalar' }],
    })
    if (rows.length > 0) return true
  }
  return false
}

export interface PurgeTask {
  file: string
  now: number
}

/**
 * Purges in another thread, which ends afterwards: in this one, a write to the disk or a checkpoint would delay every request.
 * Throws the thread's errors.
 */
async function purgeInThread(file: string, now: number, signal?: AbortSignal): Promise<void> {
  const workerData: PurgeTask = { file, now }
  const worker = new Worker(ownFile('build/purge-worker.mjs'), { workerData })
  const stop = () => worker.postMessage('stop')
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    await once(worker, 'exit')
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
