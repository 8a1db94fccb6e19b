import type { AuthenticationOptions } from '@/lib/api/schemas'
import { loadScript } from '../failures/connection'
import { type Outcome, PromptError } from '../failures/outcomes'
import type { OptionsAtHand } from '../passkeys/options-at-hand'

/** Loads the requests of /signin, for a press, or once the page's own options are too old. */
export const loadActions = () => import('./sign-in-actions')

export type Actions = Awaited<ReturnType<typeof loadActions>>

/** @param giveUp runs if they do not load */
export async function withActions(
  run: (actions: Actions) => Promise<Outcome>,
  giveUp: () => void = () => undefined,
): Promise<Outcome> {
  const loaded = await loadScript(loadActions)
  if ('script' in loaded) return run(loaded.script)
  giveUp()
  return loaded.failure
}

/** Runs a ceremony with the options at hand, or else with fresh ones. */
export async function authenticateAtHand<T>(
  atHand: OptionsAtHand,
  ceremony: (options: AuthenticationOptions) => Promise<T>,
) {
  const options = atHand.get() ?? atHand.keep(await (await loadActions()).fetchOptions())
  try {
    const response = await ceremony(options)
    atHand.consume()
    return { options, response }
  } catch (error) {
    // The prompt that replaces it uses the options.
    if (!isWithdrawn(error)) atHand.consume()
    throw error
  }
}

/** True if the page ended the ceremony: an offer, or a prompt that the person cancelled. */
const isWithdrawn = (error: unknown) =>
  error instanceof PromptError ? error.end === 'cancelled' : error instanceof Error && error.name === 'AbortError'
