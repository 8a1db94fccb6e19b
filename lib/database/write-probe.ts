import { log } from '@/lib/process/log'
import { singleton } from '@/lib/process/singleton'
import { resultWithin } from '@/lib/process/work'
import { connection } from './client'
import { flushed } from './sql'

/** Probes at most this often, because anyone may ask for the health, and probes are a load, too. */
const intervalMilliseconds = 1_000
/** A health check waits at most this long for a write. Most end sooner; it must not wait with one that waits for a lock. */
const longestMilliseconds = 20

interface WriteProbe {
  startedAt: number
  /** Probes once more for a request that failed */
  again?: NodeJS.Timeout | undefined
  running: Promise<void>
  succeeds: boolean
}

const writeProbe = () =>
  singleton<WriteProbe>('write-probe', () => ({
    startedAt: Number.NEGATIVE_INFINITY,
    running: Promise.resolve(),
    succeeds: true,
  }))

/**
 * Commits a write and waits until it is on the disk: on a full disk, a read-only database or under another's lock reads still
 * succeed, while nobody can sign in. The purge removes the row.
 *
 * @throws the database's error
 */
export async function tryWrite(): Promise<void> {
  const now = BigInt(Date.now())
  await flushed.changes`
    INSERT INTO "RateLimit" ("key", "window", "count", "previous", "expiresAt") VALUES (${'write-probe'}, 0, 0, 0, ${now})
    ON CONFLICT ("key") DO UPDATE SET "expiresAt" = excluded."expiresAt"`
}

/** True if the last write succeeded. Tries one if the last is over a second old. */
export async function canWrite(): Promise<boolean> {
  probeWrites()
  await resultWithin(longestMilliseconds, writeProbe().running)
  return writeProbe().succeeds
}

/** Reports a request that the database did not answer. */
export function reportUnavailable(error: unknown, requestId?: string): void {
  log().warn({ requestId, err: error }, 'database unavailable')
  // The last probe may have succeeded just before.
  const probe = writeProbe()
  probe.again ??= setTimeout(() => {
    probe.again = undefined
    probeWrites()
  }, intervalMilliseconds).unref()
}

/**
 * Tries a write, at most once a second. While it fails, tries again by itself, so that the log has one line when an incident
 * begins, whatever number of requests fail, and one when it is over.
 */
function probeWrites(): void {
  const probe = writeProbe()
  if (performance.now() - probe.startedAt < intervalMilliseconds) return
  // No other probe begins until this one has ended.
  probe.startedAt = Number.POSITIVE_INFINITY
  const startedAt = performance.now()
  probe.running = tryWrite()
    .then(
      () => {
        if (!probe.succeeds) log().info('the database can be written to again')
        probe.succeeds = true
      },
      async (error: unknown) => {
        if (probe.succeeds && !(await hasSaidWhy()))
          log().error({ err: error }, 'nothing can be written to the database, so nobody can sign in')
        probe.succeeds = false
        setTimeout(probeWrites, intervalMilliseconds).unref()
      },
    )
    .finally(() => {
      probe.startedAt = startedAt
    })
}

/** A failed flush of the embedded database has a line of its own, which asks for a restart. */
const hasSaidWhy = () =>
  connection().then(
    ({ mustRestart }) => mustRestart(),
    () => false,
  )
