/** Why a receiver could not be called, or gave no answer. The message is for operators. */
export class ReceiverError extends Error {
  override readonly name = 'ReceiverError'
}
