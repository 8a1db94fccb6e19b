import type { AuthenticationOptions } from '@/lib/api/schemas'
import type { OptionsAtHand } from '../passkeys/options-at-hand'
import { loadActions } from './load-actions'

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
    // A withdrawn offer has not used its options: the prompt that replaces it does.
    if (!(error instanceof Error && error.name === 'AbortError')) atHand.consume()
    throw error
  }
}
