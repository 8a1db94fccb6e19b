/** Why a receiver could not be called, or did not respond. The message is for operators. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError'
}

/** Compares names, because `instanceof` fails between the several copies of this module that one process holds. */
export const isReceiverError = (error: unknown): error is ReceiverError =>
  error instanceof Error && error.name === 'ReceiverError'
