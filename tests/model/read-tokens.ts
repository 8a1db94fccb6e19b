import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import { decodeJwt } from 'jose'
import type { Method } from '@/lib/api/schemas'
import { tokenOf } from '../support/tokens/tokens'
import type { Challenge, Session, StepUp } from './history'
import type { Names } from './names'

/* What tokens say, in names. */

/** Of either ceremony. */
export type CeremonyOptions = PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON

export function readSession(token: string, names: Names): Session {
  const {
    jti = '',
    sub = '',
    epoch,
    amr,
    pk,
    root = jti,
    exp = 0,
    auth_time = 0,
  } = decodeJwt<{ epoch: number; amr: Method[]; pk?: string; root?: string; auth_time?: number }>(token)
  return {
    name: names.of('session', jti),
    account: names.of('account', sub),
    epoch,
    method: amr[0] as Method,
    passkey: pk === undefined ? null : names.of('passkey', pk),
    expires: exp * 1000,
    shownAt: auth_time * 1000,
    root: names.of('session', root),
  }
}

export function readStepUp(token: string, names: Names): StepUp {
  const { sid, sub = '', epoch, amr, exp = 0 } = decodeJwt<{ sid: string; epoch: number; amr: Method[] }>(token)
  return {
    session: names.of('session', sid),
    account: names.of('account', sub),
    epoch,
    method: amr[0] as Method,
    expires: exp * 1000,
  }
}

export function readChallenge(options: CeremonyOptions, names: Names): Challenge {
  const { jti = '', sub, sid, username, exp = 0 } = decodeJwt<{ sid?: string; username?: string }>(tokenOf(options))
  return {
    name: names.of('challenge', jti),
    account: sub === undefined ? null : names.of('account', sub),
    username: username ?? null,
    session: sid === undefined ? null : names.of('session', sid),
    expires: exp * 1000,
  }
}
