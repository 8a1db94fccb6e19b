import { createHash, timingSafeEqual } from 'node:crypto'
import type { Endpoint } from '@/lib/api/endpoints'
import type { AdministratorRights } from '@/lib/api/endpoints/endpoint'
import { ApiError } from '@/lib/api/errors'
import { accountHeader, administrators } from '@/lib/api/names'
import { findKey, isOperatorKey } from '@/lib/auth/operator/keys'
import { administratorOperator, type Operator, requireArea, requireWrite } from '@/lib/auth/operator/operator'
import { bearerOf, credentialsOf, type RequestContext } from '@/lib/auth/request'
import { findSession, requireSession } from '@/lib/auth/sessions/find'
import { StepUp } from '@/lib/auth/sessions/step-up'
import { consumeAddressAttempt, consumeAttempt } from '@/lib/auth/throttling/attempts'
import { nowInSeconds } from '@/lib/auth/time'
import { readSessionToken, type SessionClaims } from '@/lib/auth/tokens/tokens'
import { authenticateApp } from '@/lib/openid/apps/find'
import { requireAccessToken } from '@/lib/openid/tokens/access-and-id-tokens'
import { settings } from '@/lib/settings/settings'

interface Credentials {
  readonly authorization: string | null
  readonly body: unknown
  readonly context: RequestContext
}

const nobody = {}

/** Who calls. All but `administrator` run once the body has been read, in which an app may name itself. */
export const callers = {
  anyone: () => nobody,
  session: async ({ context }: Credentials) => ({ session: await requireSession(context.session) }),
  'session-and-maybe-step-up': async ({ context }: Credentials) => {
    const session = await requireSession(context.session)
    return { session, stepUp: await StepUp.find(session, context) }
  },
  'step-up': async ({ context }: Credentials) => {
    const session = await requireSession(context.session)
    return { session, stepUp: await StepUp.require(session, context) }
  },
  'step-up-if-session': async ({ context }: Credentials) => {
    const session = await findSession(context.session)
    return { session, stepUp: session && (await StepUp.require(session, context)) }
  },
  app: async ({ authorization, body, context }: Credentials) => ({
    app: await authenticateApp(authorization, body, context),
  }),
  bearer: async ({ authorization, body }: Credentials) => ({
    issued: await requireAccessToken(authorization, body),
  }),
  /** Runs before everything else, so that anybody else learns only that nothing is here. */
  administrator: async ({ authorization, context }: Omit<Credentials, 'body'>) => ({
    operator: await requireOperator(authorization, context),
  }),
  cron: ({ authorization, context }: Credentials) => requireCron(authorization, context),
} satisfies Record<Endpoint['caller'], (shown: Credentials) => object>

export type Caller = keyof typeof callers

/** The properties that a call gains once we know its caller. */
export type Identified<C extends Caller> = Awaited<ReturnType<(typeof callers)[C]>>

/** How long an administrator's passkey opens the administration. */
const administrationSeconds = 12 * 3600

/** True if an administrator's session may administer: a password opens the account, never the administration. */
export const opensAdministration = (claims: SessionClaims): boolean =>
  claims.pk !== undefined && claims.uv === true && nowInSeconds() - claims.auth_time < administrationSeconds

/**
 * Requires an administrator, or a key of a program.
 *
 * @throws ApiError not_found; reauthentication_required for an administrator's session that shows too little
 */
async function requireOperator(authorization: string | null, context: RequestContext): Promise<Operator> {
  const token = credentialsOf(authorization, 'bearer')
  if (isOperatorKey(token)) return findKey(token, context)
  const session = await findSession(context.session)
  if (!session?.user.groups.includes(administrators)) throw new ApiError('not_found')
  // The statement that found the session has seen that its passkey still exists.
  if (!opensAdministration(session.claims)) throw new ApiError('reauthentication_required')
  const stepUp = await StepUp.find(session, context)
  return administratorOperator(session.user.id, stepUp?.isByVerifiedPasskey ?? false, context)
}

/** @throws ApiError not_allowed, reauthentication_required */
export function requireRights(operator: Operator, { areas, writes }: AdministratorRights): void {
  if (operator.kind === 'key' && areas === null) throw new ApiError('not_allowed')
  for (const area of areas ?? []) requireArea(operator, area)
  if (writes === true) requireWrite(operator)
}

/**
 * Requires the cron job's secret. Counts wrong secrets only, by address, so that strangers cannot keep the cron job out.
 *
 * @throws ApiError not_found while nobody may call, authentication_failed, too_many_attempts
 */
async function requireCron(authorization: string | null, { address }: RequestContext): Promise<{ isTrusted: boolean }> {
  const { cronSecret, processLives } = settings()
  if (cronSecret === undefined) {
    if (processLives) throw new ApiError('not_found')
    // Anybody may begin what a process that lives does by itself, once an hour and without learning what came of it. A
    // stranger's call only does the cron job's work early.
    await consumeAttempt('cron-rounds', 'all')
    return { isTrusted: false }
  }
  const given = bearerOf(authorization)
  // Takes the same time for every secret: else the duration would show how many characters are right.
  if (given !== null && timingSafeEqual(digest(given), digest(cronSecret))) return { isTrusted: true }
  await consumeAddressAttempt('address', address)
  throw new ApiError('authentication_failed')
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * Rejects a call of a page that shows another account than the session's: tabs share one cookie, so one tab can sign in to
 * another account behind the others. A GET may pass, since it changes no account. The token suffices: its account never changes.
 */
export async function requireExpectedAccount({ method, headers }: Request, { session }: RequestContext): Promise<void> {
  const expected = headers.get(accountHeader)
  if (expected === null || session === null || method === 'GET' || method === 'HEAD') return
  const claims = await readSessionToken(session)
  if (claims && claims.sub !== expected) throw new ApiError('different_account')
}

/* From which page a call comes. */

/** Returns the request's Origin if CLIENT_ORIGINS lists it, which never has `null`. */
export function listedOrigin({ headers }: Request): string | null {
  const origin = headers.get('Origin')
  return origin !== null && settings().clientOrigins.includes(origin) ? origin : null
}

export type OriginRule = NonNullable<Endpoint['origin']>

/** Rejects foreign origins by the rule of the endpoint's row, and returns the `clientOrigin` of others. */
export function admitOrigin(request: Request, rule: OriginRule): string | null {
  // `any`: browsers send no credentials, so a page learns no more than its own server could. `navigation`: any site may link or
  // post here, and no page of another origin can read the response.
  if (rule === 'any' || rule === 'navigation') return null
  const client = rule === 'listed' ? listedOrigin(request) : null
  if (client === null) requireSameOrigin(request)
  return client
}

/** True for a CORS preflight (Fetch section 3.3.2). */
export const isPreflight = ({ headers }: Request) => headers.has('Access-Control-Request-Method')

/** True if a web page made the request: browsers send one of these headers with every POST. */
export const isFromPage = ({ headers }: Request) => headers.has('Origin') || headers.has('Sec-Fetch-Site')

/**
 * Accepts navigations only (W3C Fetch Metadata, `Sec-Fetch-Dest`): a sibling host could embed this URL as an image, and browsers
 * would attach our cookie. Frames may pass, because apps ask there with `prompt=none`.
 */
export function requireNavigation({ headers }: Request): void {
  const destination = headers.get('Sec-Fetch-Dest') ?? 'document'
  if (!['document', 'iframe'].includes(destination)) throw new ApiError('foreign_origin')
}

/** Rejects foreign origins, since browsers attach our cookie (OWASP CSRF Prevention, "Verifying Origin", Fetch Metadata). */
function requireSameOrigin({ headers }: Request): void {
  const origin = headers.get('Origin')
  const foreign =
    headers.get('Sec-Fetch-Site') === 'cross-site' || (origin !== null && !isOwn(origin, headers.get('Host')))
  if (foreign) throw new ApiError('foreign_origin')
}

/** Until APP_ORIGIN is set, the host of the request counts as ours too. */
function isOwn(origin: string, host: string | null): boolean {
  const { origins, originConfigured } = settings()
  if (origins.includes(origin)) return true
  return !originConfigured && URL.canParse(origin) && host !== null && new URL(origin).host === host.toLowerCase()
}
