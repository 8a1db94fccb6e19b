import { loadScript } from '../failures/connection'
import type { Outcome } from '../failures/outcomes'

/** Loads the requests of /signin, which are needed once something is pressed or the page's own options are too old. */
export const loadActions = () => import('./sign-in-actions')

export type Actions = Awaited<ReturnType<typeof loadActions>>

/** @param giveUp called if they cannot be loaded */
export async function withActions(
  run: (actions: Actions) => Promise<Outcome>,
  giveUp: () => void = () => undefined,
): Promise<Outcome> {
  const loaded = await loadScript(loadActions)
  if ('script' in loaded) return run(loaded.script)
  giveUp()
  return loaded.failure
}
