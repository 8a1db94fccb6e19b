import { decodeJwt } from 'jose'
import type { Answer as Response } from '../support/client'
import type { RegisteredApp } from '../support/openid/fixtures'
import type { HeldPasskey } from '../support/webauthn/authenticator-data'
import type { Answer, Challenge, Request, Session, StepUp } from './history'
import { Names } from './names'
import { type CeremonyOptions, readChallenge, readSession, readStepUp } from './read-tokens'

export type Held<T> = T & { token: string }
export type HeldChallenge = Challenge & {
  type: 'create' | 'get'
  options: CeremonyOptions
}

/** Somebody at a browser, with what it has kept. */
export type Actor = { address: string; session: Held<Session> | null; device: string | null }

/** What answers have given so far, with a name for each. */
export class Kept {
  readonly sessions: Held<Session>[] = []
  readonly stepUps: Held<StepUp>[] = []
  readonly challenges: HeldChallenge[] = []
  readonly codes: { name: string; value: string; username: string }[] = []
  readonly passkeys = new Map<string, HeldPasskey>()
  /** The usernames that accounts last had. */
  readonly usernames = new Map<string, string>()
  readonly appCodes: { name: string; value: string }[] = []
  readonly refreshTokens: { name: string; value: string; appCode: string }[] = []
  readonly idTokens: { value: string; hint: { account: string; root: string } }[] = []
  /** The session of each code, by its first. */
  private readonly rootsOfCodes = new Map<string, { account: string; root: string }>()
  readonly accessTokens: { appCode: string; value: string; expires: number }[] = []
  readonly names = new Names()

  /** What the app learns, by its redirect URI or at its own endpoints. */
  protected readForApp(
    { headers, body }: Response,
    { appCode, session }: Request,
    app: RegisteredApp,
  ): Partial<Answer> {
    const location = headers.location ?? ''
    const query = new URL(location.startsWith(app.redirectUri) ? location : 'x:').searchParams
    const code = query.get('code')
    if (code !== null) return { appCode: this.keepCode(code, session) }
    if (body?.access_token && appCode) return this.keepTokens(body, appCode)
    const error = query.get('error') ?? (body?.error_description && body.error)
    return error ? { code: error } : {}
  }

  private keepTokens(body: { access_token: string; id_token: string; refresh_token?: string }, appCode: string) {
    const { exp = 0 } = decodeJwt(body.access_token)
    this.accessTokens.push({ appCode, value: body.access_token, expires: exp * 1000 })
    const hint = this.rootsOfCodes.get(appCode)
    if (hint) this.idTokens.push({ value: body.id_token, hint })
    if (body.refresh_token === undefined) return {}
    const name = this.names.of('refresh token', body.refresh_token)
    const isKnown = this.refreshTokens.some((one) => one.name === name)
    if (!isKnown) this.refreshTokens.push({ name, value: body.refresh_token, appCode })
    return { refreshToken: name }
  }

  private keepCode(value: string, session: Session | null): string {
    const name = this.names.of('code for the app', value)
    if (session) this.rootsOfCodes.set(name, { account: session.account, root: session.root })
    this.appCodes.push({ name, value })
    return name
  }

  /** Whether this browser has signed in to the account that has this username. */
  protected knows({ device }: Actor, username = ''): boolean {
    const account = device === null ? '' : this.names.of('account', decodeJwt(device).sub ?? '')
    return this.usernames.get(account)?.toLowerCase() === username.toLowerCase()
  }

  protected read({ status, body }: Response): Answer {
    const session = body?.token === undefined ? undefined : this.keepSession(body.token)
    const stepUp = body?.stepUp === undefined ? undefined : this.keepStepUp(body.stepUp)
    const { user, passkeys, codes, sessions } = body ?? {}
    if (user?.username) this.usernames.set(this.names.of('account', user.id), user.username)
    return {
      status,
      ...(body?.code && { code: body.code }),
      ...(session && { session }),
      ...(stepUp && { stepUp }),
      ...(body?.challenge && { challenge: this.keepChallenge(body) }),
      ...(passkeys && {
        account: {
          username: body.username,
          email: body.email,
          groups: body.groups,
          passkeys: passkeys.map(({ id }: { id: string }) => this.names.of('passkey', id)).toSorted(),
          hasPassword: body.hasPassword,
          codes: body.recoveryCodesLeft,
        },
      }),
      ...(codes && { codes: codes.map((code: string) => this.names.of('code', code)) }),
      ...(sessions && { sessions: sessions.map(({ id }: { id: string }) => this.names.of('session', id)) }),
    }
  }

  private keepSession(token: string): Session {
    const session = readSession(token, this.names)
    this.sessions.push({ ...session, token })
    return session
  }

  private keepStepUp(token: string): StepUp {
    const stepUp = readStepUp(token, this.names)
    this.stepUps.push({ ...stepUp, token })
    return stepUp
  }

  private keepChallenge(options: CeremonyOptions): Challenge {
    const challenge = readChallenge(options, this.names)
    this.challenges.push({ ...challenge, type: options.rp ? 'create' : 'get', options })
    return challenge
  }
}
