import { setRecorder } from '@/lib/process/recorder'
import { asyncSingleton } from '@/lib/process/singleton'
import { resultWithin } from '@/lib/process/waiting'
import { settings } from '@/lib/settings/settings'

/** Follows the five seconds that a shutdown leaves to the requests in progress, of eight in all. */
const flushMilliseconds = 2_000

/** Call it before you open the database. @throws Error if the metrics' port is taken */
export async function startTelemetry(): Promise<void> {
  if (settings().telemetry) await sdk()
}

/** Sends what still waits. Call it last. */
export async function stopTelemetry(): Promise<void> {
  if (!settings().telemetry) return
  const { shutDown } = await sdk()
  // A receiver that does not answer must not hold up the shutdown.
  await resultWithin(flushMilliseconds, shutDown())
}

/** Imports the SDK on demand, so that it costs neither memory nor time at the start while telemetry is off. */
const sdk = () =>
  asyncSingleton('telemetry-sdk', async () => {
    const { startSdk } = await import('./sdk')
    const started = await startSdk()
    setRecorder(started.recorder)
    return started
  })
