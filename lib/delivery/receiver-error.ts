/** Tells operators why a receiver could not be called, or did not respond. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError'
  /** The status of an answer that was not right; undefined if there was none */
  readonly status: number | undefined

  constructor(message: string, { status, cause }: { status?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause })
    this.status = status
  }
}

/** Codes of Node and OpenSSL where TLS fails: a certificate that does not verify, or no TLS at all. */
const tlsCodes =
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_|PATH_LENGTH_|EPROTO$)/

/** Returns the code if TLS with the receiver failed; else null. */
export function tlsFailureOf(error: unknown): string | null {
  const { code } = (isReceiverError(error) && (error.cause as NodeJS.ErrnoException | undefined)) || {}
  return code !== undefined && tlsCodes.test(code) ? code : null
}

/** Compares names, because `instanceof` fails between the several copies of this module that one process holds. */
export const isReceiverError = (error: unknown): error is ReceiverError =>
  error instanceof Error && error.name === 'ReceiverError'
