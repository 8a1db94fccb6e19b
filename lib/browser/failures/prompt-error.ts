import type { PromptEnd } from './outcomes'

/** A prompt that ended without a passkey. Apart from the errors of requests, which /signin loads later. */
export class PromptError extends Error {
  override readonly name = 'PromptError'
  readonly end: PromptEnd

  constructor(end: PromptEnd, cause?: unknown) {
    super(end, { cause })
    this.end = end
  }
}
