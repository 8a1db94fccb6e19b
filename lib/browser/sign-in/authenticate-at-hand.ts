import type { AuthenticationOptions } from '@/lib/api/schemas'
import { PromptError } from '../failures/prompt-error'
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
    // The prompt that replaces it uses the options.
    if (!isWithdrawn(error)) atHand.consume()
    throw error
  }
}

/** Whether the page ended the ceremony: an offer, or a prompt that was cancelled. */
const isWithdrawn = (error: unknown) =>
  error instanceof PromptError ? error.end === 'cancelled' : error instanceof Error && error.name === 'AbortError'
