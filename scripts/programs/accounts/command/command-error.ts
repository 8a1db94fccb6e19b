/** A failure in a sentence for the operator, and nothing on standard output. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: 1 | 2

  /** @param exitCode 2 if it was typed wrong */
  constructor(sentence: string, exitCode: 1 | 2 = 1) {
    super(sentence)
    this.exitCode = exitCode
  }
}
