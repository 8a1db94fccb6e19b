import { writeCountedRejections } from '@/lib/auth/events/counted-rejections'
import { startWebhooks } from '@/lib/auth/events/webhooks'
import { connection, migrate } from '@/lib/database/client'
import { explained } from '@/lib/database/errors'
import { startPurging, stopPurging } from '@/lib/database/purge'
import { stopDelivering } from '@/lib/delivery/delivering'
import { startLetters } from '@/lib/delivery/letters'
import { applyAtStart } from '@/lib/openid/file/apply'
import { startBackChannel } from '@/lib/openid/logout'
import { resealKeys } from '@/lib/openid/tokens/signing-keys'
import { log } from '@/lib/process/log'
import { setRecorder } from '@/lib/process/recorder'
import { asyncSingleton } from '@/lib/process/singleton'
import { finishAfterResponses, resultWithin } from '@/lib/process/work'
import { closeRedis, connectRedis } from '@/lib/rate-limit/limiter'
import { inClearWarning, isSentInClear } from '@/lib/settings/deployment'
import { settings, unknownSettings } from '@/lib/settings/settings'

/** A platform that sets many such variables must not hide the rest of the start. */
const mostNames = 5

/**
 * Checks the settings, starts telemetry, migrates and opens the database and applies the file of apps, before the first request;
 * then delivers and purges. On Vercel the build migrates and applies, and a cron job delivers and purges. The front end of a split
 * deployment has no database.
 *
 * @throws SettingsError, or an Error for operators
 */
export async function start(): Promise<void> {
  for (const line of unknownSettings().slice(0, mostNames)) log().warn(line)
  // Before the database opens, whose statements it measures.
  if (settings().telemetry) await telemetry()
  const { backendUrl, migratesAtStart, processLives, appFile } = settings()
  if (backendUrl) {
    if (isSentInClear(backendUrl)) log().warn(inClearWarning(backendUrl))
    return
  }
  await connectRedis()
  try {
    if (migratesAtStart) await migrate()
    await connection()
    await resealKeys()
    // On Vercel the build does, since a start there is a request that waits.
    if (migratesAtStart) await applyAtStart(appFile)
  } catch (error) {
    throw explained(error)
  }
  startWebhooks()
  startLetters()
  await startBackChannel()
  if (processLives) startPurging()
}

/**
 * Ends deliveries and purging at once. After the last response, writes the rest of the security log and of the events, closes
 * the connections to Redis and the database, and sends the rest of the telemetry.
 *
 * @throws an error that kept it from writing everything
 */
export async function stop(lastResponse: Promise<void>): Promise<void> {
  const hasDatabase = !settings().backendUrl
  const background = hasDatabase ? [stopDelivering(), stopPurging()] : []
  await lastResponse
  try {
    if (!hasDatabase) return
    // First, because it needs no database, which may make the rest late.
    writeCountedRejections()
    await Promise.all(background)
    await finishAfterResponses()
    closeRedis()
    const { close } = await connection()
    await close()
  } finally {
    if (settings().telemetry) await flushTelemetry()
  }
}

/** Imports OpenTelemetry's SDK on demand, so that it costs neither memory nor time while telemetry is off. */
const telemetry = () =>
  asyncSingleton('telemetry-sdk', async () => {
    const { startSdk } = await import('@/lib/telemetry/sdk')
    const started = await startSdk()
    setRecorder(started.recorder)
    return started
  })

/** Follows the five seconds that a shutdown leaves to the requests in progress, of eight in all. */
const flushMilliseconds = 2_000

/** Sends what still waits. A receiver that does not answer does not hold up the shutdown. */
async function flushTelemetry(): Promise<void> {
  const { shutDown } = await telemetry()
  await resultWithin(flushMilliseconds, shutDown())
}
