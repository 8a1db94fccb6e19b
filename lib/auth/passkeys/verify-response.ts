import type { ApiError } from '@/lib/api/errors'
import { log } from '@/lib/process/log'
import { printable } from '@/lib/process/printable'
import type { RequestContext } from '../model/request-context'
import { isPastLimit, limitFailures } from '../throttling/attempts'
import type { Ceremony } from './ceremony'
import { type Challenge, readChallenge } from './challenge'

/**
 * Consumes the challenge, verifies the response to it and counts failures by address. From an address past its limit only a
 * right response consumes its challenge: a stranger's requests would leave rows without end.
 *
 * @param verify calls `consume()` before it writes
 * @param onFailure what a failure within the limit writes besides a line with its reason
 */
export async function verifyResponse<T extends Ceremony, R>(
  type: T,
  clientDataJSON: string,
  context: RequestContext,
  verify: (challenge: Challenge<T>) => Promise<R>,
  onFailure: () => void = () => {},
): Promise<R> {
  const attempt = async () => {
    const challenge = await readChallenge(type, clientDataJSON, context)
    if (!(await isPastLimit('passkey', context.address))) await challenge.consume()
    return verify(challenge)
  }
  return limitFailures('passkey', context.address, attempt, (error) => {
    log().info({ code: error.code, reason: reasonOf(error), request: context.requestId }, 'Passkey verification failed')
    onFailure()
  })
}

/** SimpleWebAuthn's reasons quote what a stranger sent, and could fill the disk with it. */
const longestReason = 200

const reasonOf = ({ cause }: ApiError) => (cause instanceof Error ? printable(cause.message, longestReason) : undefined)
