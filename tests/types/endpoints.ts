/*
 * Endpoints that must not compile. `npm run check` fails where one of them does: an expected error that does not occur is an
 * error. Nothing runs them.
 */

import type * as z from 'zod'
import { actions } from '@/lib/admin/actions'
import type { Endpoint } from '@/lib/api/endpoints'
import type { Endpoints } from '@/lib/api/endpoints/endpoint'
import { deleteAccount, deleteUser } from '@/lib/auth/accounts/delete'
import { changeUsername, renameUser } from '@/lib/auth/accounts/names'
import { asChallenged } from '@/lib/auth/passkeys/challenge'
import { removePasskey } from '@/lib/auth/passkeys/manage'
import { addPasskey, createRegistrationOptions, type NewPasskey } from '@/lib/auth/passkeys/registration'
import { changePassword, removePassword } from '@/lib/auth/passwords/change-password'
import { signUpWithPassword } from '@/lib/auth/passwords/password-sign-up'
import { createRecoveryCodes, replaceCodesByOne } from '@/lib/auth/recovery/codes'
import { StepUp } from '@/lib/auth/sessions/step-up'
import { asSession, asStepUp } from '@/lib/auth/sessions/write'
import { liveSessions, SignedIn } from '@/lib/http/pages/load'
import type { Answer } from '@/lib/http/response/result'
import { endsAccount, opensSession, renamesAccount, renewsSession } from '@/lib/http/response/sessions'
import { requestHandler, resource, route } from '@/lib/http/route'

const body = { automatic: false, promotion: false }
const respond = async (done: Promise<void>) => Response.json(await done)
declare const passkey: NewPasskey
declare const optionsAfter: (done: Promise<void>) => ReturnType<typeof createRegistrationOptions>

/** What a session alone must not do, at endpoints that ask for no more. Nothing else about them is wrong. */
export const withoutStepUp = [
  // @ts-expect-error
  () => route('POST /api/i/hint', removePassword),
  // @ts-expect-error
  () => route('POST /api/i/hint', endsAccount(deleteAccount)),
  // @ts-expect-error
  () => route('POST /api/i/hint', ({ session, context }) => deleteAccount({ stepUp: { session }, context })),
  // @ts-expect-error
  () => route('POST /api/i/hint', async (call) => void (await createRecoveryCodes(call))),
  // @ts-expect-error
  () => route('POST /api/i/sessions/revoke', async (call) => void (await removePasskey(call))),
  // @ts-expect-error
  () => route('POST /api/signout', removePassword),
  // @ts-expect-error
  () => route('POST /api/signout', async ({ context }) => void (await createRegistrationOptions({ body, context }))),
  // @ts-expect-error without a session there is no step-up
  () => route('POST /api/auth/register/options', (call) => optionsAfter(removePassword(call))),
  // @ts-expect-error
  () => requestHandler('ignored', (call) => respond(removePassword(call)), { caller: 'session' }),
  // @ts-expect-error
  () => requestHandler('ignored', (call) => respond(removePassword(call))),
]

/** A step-up of one's own, or a session's writer where a privileged one is needed. */
export const forged = (session: StepUp['session']) => [
  // @ts-expect-error the constructor is private
  () => new StepUp(session, { sub: '', epoch: 0, sid: '', amr: ['pwd'], jti: '', iat: 0, exp: 0 }),
  // @ts-expect-error
  () => asStepUp({ session, methods: ['pwd'] }),
  // @ts-expect-error
  () => renameUser(asSession(session.claims), session.user.id, 'eve'),
  // @ts-expect-error
  () => replaceCodesByOne(asSession(session.claims), session.user.id, null),
  // @ts-expect-error
  () => deleteUser(asSession(session.claims), session.user.id),
  // @ts-expect-error
  () => addPasskey(asSession(session.claims), session.user.id, passkey),
  // @ts-expect-error only a challenge that was used up
  () => asChallenged({ sub: session.user.id, sid: session.claims.jti, jti: '', iat: 0, exp: 0 }, session),
]

/** What a page loads of an account, before its session was looked up. */
export const withoutSession = (headers: Headers, account: SignedIn['account']) => [
  // @ts-expect-error
  () => liveSessions({ headers, account }),
  // @ts-expect-error the constructor is private
  () => new SignedIn(headers, account),
]

/** Nothing else about these is wrong. */
type WithOwnErrors = Omit<Extract<Endpoint, { errors: unknown }>, 'origin' | 'caller' | 'rights'>

/** Options that are no literal may have more than a type names. */
const anySession = { origin: 'any', caller: 'session' } as const

/** Pages of any origin, with the session of whoever opens them. */
export const crossSite = (row: WithOwnErrors) => [
  // @ts-expect-error
  { ...row, origin: 'any', caller: 'session' } satisfies Endpoint,
  { ...row, origin: 'any', caller: 'anyone' } satisfies Endpoint,
  // @ts-expect-error
  () => requestHandler('ignored', async () => new Response(), { origin: 'any', caller: 'session' }),
  // @ts-expect-error
  () => requestHandler('ignored', async () => new Response(), { origin: 'navigation', caller: 'session' }),
  // @ts-expect-error
  () => requestHandler('ignored', async () => new Response(), anySession),
  () => requestHandler('ignored', async () => new Response(), { origin: 'any', caller: 'anyone' }),
]

/** A link of any site to what a cookie identifies its caller for. */
export const linked = (row: WithOwnErrors) => [
  // @ts-expect-error
  { 'GET /api/i': { ...row, caller: 'session' } } satisfies Endpoints,
  // @ts-expect-error
  { 'GET /api/i': { ...row, caller: 'step-up-if-session' } } satisfies Endpoints,
  { 'GET /api/i': { ...row, caller: 'anyone' }, 'POST /api/i': { ...row, caller: 'session' } } satisfies Endpoints,
]

/** What operators do, without what a key or a session needs for it. */
export const withoutRights = (row: WithOwnErrors, body: { body: z.ZodType }) => [
  // @ts-expect-error
  { ...row, ...body, caller: 'administrator' } satisfies Endpoint,
  // @ts-expect-error
  { ...row, ...body, caller: 'administrator', rights: { writes: true } } satisfies Endpoint,
  // @ts-expect-error
  { ...row, ...body, caller: 'administrator', rights: { areas: ['accounts'] } } satisfies Endpoint,
  // @ts-expect-error a session alone
  { ...row, ...body, caller: 'session', rights: { areas: ['accounts'], writes: true } } satisfies Endpoint,
  { ...row, ...body, caller: 'administrator', rights: { areas: ['accounts'], writes: true } } satisfies Endpoint,
  // @ts-expect-error nobody acts
  () => route('POST /api/i/hint', actions['/accounts/disable']),
]

/** Callers whose rejections have OAuth's format, where errors have ours; an app without the form that it may name itself in. */
export const appCallers = (row: Pick<Endpoint, 'results' | 'summary'>, form: { body: z.ZodType; form: true }) => [
  // @ts-expect-error
  { ...row, ...form, caller: 'app', errors: [] } satisfies Endpoint,
  // @ts-expect-error
  { ...row, caller: 'app', oauth: [] } satisfies Endpoint,
  // @ts-expect-error
  { ...row, ...form, bodyOptional: true, caller: 'app', oauth: [] } satisfies Endpoint,
  { ...row, ...form, caller: 'app', oauth: [] } satisfies Endpoint,
  // @ts-expect-error
  { ...row, caller: 'bearer', errors: [] } satisfies Endpoint,
  // @ts-expect-error
  { ...row, caller: 'bearer', oauth: [], errors: ['username_taken'] } satisfies Endpoint,
  { ...row, caller: 'bearer', oauth: [] } satisfies Endpoint,
  // @ts-expect-error
  () => requestHandler('form', async () => new Response(), { caller: 'app' }),
  // @ts-expect-error
  () => requestHandler('ignored', async () => new Response(), { caller: 'bearer' }),
]

/** Handlers that check nothing, at endpoints that check their caller or whose page calls. */
export const unchecked = (handle: () => Answer) => [
  // @ts-expect-error
  () => resource('POST /api/i/delete', handle),
  // @ts-expect-error
  () => resource('GET /api/deliver', handle),
  // @ts-expect-error
  () => resource('POST /api/oauth/token', handle),
  // @ts-expect-error
  () => resource('POST /api/signin', handle),
  () => resource('GET /api/health', handle),
  () => resource('POST /api/oauth/authorize', handle),
]

/** Rows and actions that disagree. */
export const mismatched = [
  // @ts-expect-error no such row
  () => route('GET /api/i/username', renamesAccount(changeUsername)),
  // @ts-expect-error the body is another
  () => route('POST /api/i/passkeys/remove', renamesAccount(changeUsername)),
  // @ts-expect-error the password may be shorter than PASSWORD_MIN_LENGTH
  () => route('POST /api/signup', opensSession(signUpWithPassword, 'password')),
  // @ts-expect-error
  () => route('POST /api/i/password', renewsSession(changePassword)),
]
