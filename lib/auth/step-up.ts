import { ApiError } from '@/lib/api/errors'
import type { RequestContext } from './request-context'
import { requireSession, type Session } from './sessions'
import { type Claims, readToken } from './tokens'

/**
 * The step-up token of a request: proof that its sender has just shown a credential. It is bound to the session, so that
 * neither a copied session nor a copied step-up token is enough to change what matters.
 *
 * @throws ApiError reauthentication_required
 */
export async function requireStepUpFor({ claims }: Session, { stepUp }: RequestContext): Promise<Claims<'step-up'>> {
  const shown = stepUp === null ? null : await readToken('step-up', stepUp)
  const isBound = shown?.sub === claims.sub && shown.epoch === claims.epoch && shown.sid === claims.jti
  if (!shown || !isBound) throw new ApiError('reauthentication_required')
  return shown
}

/** @throws ApiError not_signed_in, reauthentication_required */
export async function requireStepUp(context: RequestContext): Promise<Session & { stepUp: Claims<'step-up'> }> {
  const session = await requireSession(context.session)
  return { ...session, stepUp: await requireStepUpFor(session, context) }
}
