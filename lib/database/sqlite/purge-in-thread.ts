import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

/** What the thread is told to do. */
export interface PurgeTask {
  file: string
  now: number
}

/**
 * Removes what has expired at `now` from the embedded database, in a thread that ends afterwards. In this thread a row that
 * is written to the disk, or a checkpoint, would keep every request waiting.
 *
 * @param signal ends it after the batch that is under way
 * @throws what went wrong in the thread
 */
export async function purgeInThread(file: string, now: number, signal?: AbortSignal): Promise<void> {
  const workerData: PurgeTask = { file, now }
  const worker = new Worker(join(process.cwd(), 'build/purge-worker.mjs'), { workerData })
  const stop = () => worker.postMessage('stop')
  signal?.addEventListener('abort', stop)
  if (signal?.aborted) stop()
  try {
    await once(worker, 'exit')
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}
