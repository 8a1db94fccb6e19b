import { ApiError } from '@/lib/api/errors'
import type { RequestContext } from '../model/request-context'
import { type Claims, readToken } from '../tokens/tokens'
import type { Session } from './sessions'

/**
 * Proof that the sender of a request has a session and has just shown a credential in it. What a session alone must not
 * change takes one, so an endpoint that forgets to require it does not compile; the linter lets lib/http/callers.ts alone
 * make one.
 */
export class StepUp {
  readonly session: Session
  readonly #claims: Claims<'step-up'>

  private constructor(session: Session, claims: Claims<'step-up'>) {
    this.session = session
    this.#claims = claims
  }

  /**
   * From the request's step-up token. It is bound to the session, so that neither a copied session nor a copied step-up token
   * is enough to change what matters.
   *
   * @throws ApiError reauthentication_required
   */
  static async require(session: Session, { stepUp: token }: RequestContext): Promise<StepUp> {
    const { sub, epoch, jti } = session.claims
    const shown = token === null ? null : await readToken('step-up', token)
    const isBound = shown?.sub === sub && shown.epoch === epoch && shown.sid === jti
    if (!shown || !isBound) throw new ApiError('reauthentication_required')
    return new StepUp(session, shown)
  }

  /** What was shown. */
  get methods() {
    return this.#claims.amr
  }
}
