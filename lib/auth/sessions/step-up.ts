import { ApiError } from '@/lib/api/errors'
import { administrators } from '@/lib/api/names'
import type { RequestContext } from '../request'
import { nowInSeconds } from '../time'
import type { Claims } from '../tokens/claims'
import { issueToken, readToken } from '../tokens/tokens'
import type { Session } from './find'

/**
 * Proves that the person of a request's session has just shown a credential. Sensitive changes take a step-up, and adding a
 * passkey takes a challenge that was made for one, so that an endpoint that forgets to require it does not compile. The linter
 * lets only lib/http/request/caller.ts make one.
 */
export class StepUp {
  readonly session: Session
  readonly #claims: Claims<'step-up'>

  private constructor(session: Session, claims: Claims<'step-up'>) {
    this.session = session
    this.#claims = claims
  }

  /** Finds the step-up of this session, so that neither a copied session nor a copied step-up token suffices. */
  static async find(session: Session, { stepUp: token }: RequestContext): Promise<StepUp | null> {
    const { sub, epoch, jti } = session.claims
    const shown = token === null ? null : await readToken('step-up', token)
    const isBound = shown?.sub === sub && shown.epoch === epoch && shown.sid === jti
    return shown && isBound ? new StepUp(session, shown) : null
  }

  static async require(session: Session, context: RequestContext): Promise<StepUp> {
    const stepUp = await StepUp.find(session, context)
    if (!stepUp) throw new ApiError('reauthentication_required')
    return stepUp
  }

  get methods() {
    return this.#claims.amr
  }

  /**
   * For what gives or changes a way in. An administrator's password or own recovery code is not enough: with the passkey that
   * it could add, it would open the administration.
   *
   * @throws ApiError reauthentication_required
   */
  requireForWaysIn(): void {
    const { uv, by_operator: byOperator } = this.#claims
    if (this.session.user.groups.includes(administrators) && !uv && !byOperator)
      throw new ApiError('reauthentication_required')
  }

  get isByVerifiedPasskey(): boolean {
    return this.#claims.uv === true
  }

  /**
   * The same proof for the session that replaces this one, with the time that it had left: somebody who secures an account step
   * by step is asked once.
   */
  async forRenewed({ id: sid, epoch }: { id: string; epoch: number }): Promise<string> {
    const { sub, amr, uv, by_operator: byOperator, exp } = this.#claims
    const iat = nowInSeconds()
    const proven = { ...(uv && { uv }), ...(byOperator && { by_operator: byOperator }) }
    return (await issueToken('step-up', { sub, epoch, sid, amr, ...proven }, Math.max(1, exp - iat), { iat })).token
  }

  /** The time left: a token for this step-up must not outlive it, and its credential may be ten minutes old. */
  get secondsLeft() {
    return Math.max(1, this.#claims.exp - nowInSeconds())
  }
}
