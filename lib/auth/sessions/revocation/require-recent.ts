import { ApiError } from '@/lib/api/errors'
import { nowInSeconds } from '../../model/time'
import { authTimeOf, stepUpSeconds } from '../../tokens/claims'
import type { Session } from '../find-session'
import type { StepUp } from '../step-up'

/** Ending other sessions takes a recent credential: a copied session could otherwise end each one that its owner opens. */
export function requireRecent({ claims }: Session, stepUp: StepUp | null): void {
  const isRecent = nowInSeconds() - authTimeOf(claims) < stepUpSeconds
  if (!isRecent && stepUp === null) throw new ApiError('reauthentication_required')
}
