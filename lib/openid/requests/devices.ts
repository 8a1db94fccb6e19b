import { randomInt } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import { OAuthError } from '@/lib/api/oauth-errors'
import type { DeviceRequest, deviceAnswerInput, deviceInput, userCodeInput } from '@/lib/api/schemas'
import { logSecurityEvent } from '@/lib/auth/events/security-log'
import { browserName, networkOf, type Parsed, type RequestContext } from '@/lib/auth/request'
import { isAdmitted, obstacleOfRules } from '@/lib/auth/sessions/app-rules'
import type { Session } from '@/lib/auth/sessions/find'
import type { StepUp } from '@/lib/auth/sessions/step-up'
import { consumeAttempt, limitWrites, refundOnError } from '@/lib/auth/throttling/attempts'
import { isoOfMilliseconds } from '@/lib/auth/time'
import { methodReferences } from '@/lib/auth/tokens/claims'
import { consumeToken, digestOf, isConsumed } from '@/lib/auth/tokens/tokens'
import { isConflict } from '@/lib/database/errors'
import { flushed, readRows, type SqlRow, sql } from '@/lib/database/sql'
import { settings } from '@/lib/settings/settings'
import { type AppWithSecrets, joinSpaced, knownScopes, splitSpaced } from '../apps/app'
import { findApp } from '../apps/find'
import { includesOfflineAccess, saveGrant } from '../apps/grants'
import { refuse } from '../apps/refusals'
import {
  findRequestedApis,
  findUsableApis,
  identifiersIn,
  ownScopes,
  type RequestedApi,
  scopesAt,
  wordsOf,
} from '../apps/resources'
import { consumeCodeOf, endIssuedCode, idOfCode, issueCode, newCode } from '../tokens/codes'
import { describeApi } from './consent'

/*
 * The device authorization grant (RFC 8628): a device without a browser shows a code, which somebody enters on a page of ours.
 * Its danger is remote phishing (section 5.4): a stranger starts the request and talks somebody into entering the code. So the
 * page says where the request came from and what it gives, and nothing is allowed without a press.
 */

const lifeMilliseconds = 600_000
const pauseSeconds = 5
/** A device whose timer is a little fast, or whose requests take different times, is not too fast. */
const slackMilliseconds = 1_000

/** Consonants alone spell no words, and are read in any case (section 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const newUserCode = () => Array.from({ length: 8 }, () => letters[randomInt(letters.length)]).join('')
const asShown = (userCode: string) => `${userCode.slice(0, 4)}-${userCode.slice(4)}`
const asStored = (typed: string) => typed.toUpperCase().replace(/[^A-Z]/g, '')

type DeviceCall = Parsed<typeof deviceInput> & { app: AppWithSecrets }

/** The device authorization endpoint (section 3.1). */
export async function requestDevice({ body, app, context }: DeviceCall) {
  if (!app.device)
    return refuseDevice('unauthorized_client', 'Only an app registered with --device may ask for a code.', app, context)
  const given = splitSpaced(body.scope ?? '')
  const resources = splitSpaced(body.resource ?? '')
  if (resources.length === 0 && !given.includes('openid'))
    return refuseDevice('invalid_scope', 'The scope must contain openid, or resource name an API.', app, context)
  const apis = await findRequestedApis(resources, app, given)
  if (!apis)
    return refuseDevice(
      'invalid_target',
      'The resource is the identifier of no API that this app may use.',
      app,
      context,
    )
  // A public app's id is known to everybody, and each request is a row.
  await consumeAttempt('device-requests', JSON.stringify([networkOf(context.address), app.id]))
  const scopes = joinSpaced([...knownScopes.filter((scope) => given.includes(scope)), ...wordsOf(apis)])
  const { deviceCode, userCode } = await insertRequest(app, scopes, context)
  const page = `${settings().origins[0]}/device`
  return {
    device_code: deviceCode,
    user_code: asShown(userCode),
    verification_uri: page,
    verification_uri_complete: `${page}?user_code=${asShown(userCode)}`,
    expires_in: lifeMilliseconds / 1000,
    interval: pauseSeconds,
  }
}

/** Logs the refusal. @throws OAuthError */
async function refuseDevice(
  code: 'invalid_scope' | 'invalid_target' | 'unauthorized_client',
  description: string,
  app: AppWithSecrets,
  context: RequestContext,
): Promise<never> {
  await refuse(context, { app, reason: code === 'unauthorized_client' ? 'invalid_request' : code })
  throw new OAuthError(code, description)
}

/** The unique key decides whether a user code is free. */
async function insertRequest(app: AppWithSecrets, scopes: string, context: RequestContext) {
  const { id, rest } = newCode()
  const deviceCode = id + rest
  const now = Date.now()
  for (let attempt = 1; ; attempt++) {
    const userCode = newUserCode()
    try {
      await flushed.changes`
        INSERT INTO "DeviceRequest" ("id", "hash", "userCode", "appId", "scopes", "address", "browser", "createdAt", "pause",
          "validUntil", "expiresAt")
        VALUES (${id}, ${digestOf(deviceCode)}, ${userCode}, ${app.id}, ${scopes}, ${context.address},
          ${browserName(context.userAgent)}, ${BigInt(now)}, ${pauseSeconds}, ${BigInt(now + lifeMilliseconds)},
          ${BigInt(now + 2 * lifeMilliseconds)})`
      return { deviceCode, userCode }
    } catch (error) {
      if (!isConflict(error) || attempt === 5) throw error
    }
  }
}

type RequestRow = SqlRow<
  'DeviceRequest',
  'id' | 'userCode' | 'appId' | 'scopes' | 'address' | 'browser' | 'createdAt' | 'validUntil'
>

interface Found extends RequestRow {
  app: AppWithSecrets
  words: string[]
  apis: RequestedApi[]
}

/**
 * Finds the request that waits under a code. Counts each attempt before it looks, and takes back those that find one: a guess
 * would let a person allow a stranger's device (section 5.1).
 *
 * @throws ApiError not_found, too_many_attempts
 */
async function findByUserCode(typed: string, { user }: Session, { address }: RequestContext): Promise<Found> {
  const ofAccount = await consumeAttempt('user-codes', JSON.stringify(['account', user.id]))
  const ofNetwork = await refundOnError(ofAccount, () =>
    consumeAttempt('user-codes', JSON.stringify(['network', networkOf(address)])),
  )
  const found = await findWaiting(asStored(typed))
  if (!found) throw new ApiError('not_found')
  await Promise.all([ofAccount.refund(), ofNetwork.refund()])
  return found
}

async function findWaiting(userCode: string): Promise<Found | null> {
  if (!/^[A-Z]{8}$/.test(userCode)) return null
  const [row] = await readRows<RequestRow>`
    SELECT d."id", d."userCode", d."appId", d."scopes", d."address", d."browser", d."createdAt", d."validUntil"
    FROM "DeviceRequest" d WHERE d."userCode" = ${userCode} AND d."validUntil" > ${BigInt(Date.now())}`
  if (!row || (await isConsumed(row.id))) return null
  const app = await findApp(row.appId)
  const words = splitSpaced(row.scopes)
  const apis = app && (await findUsableApis(identifiersIn(words), app))
  // An operator may have taken the grant or an API away since.
  if (!app?.device || !apis) return null
  return { ...row, app, words, apis: apis.map((api) => ({ api, scopes: scopesAt(api.identifier, words) })) }
}

function obstacleOfDevice({ app, apis }: Found, { user, claims }: Session) {
  const obstacle = obstacleOfRules(app, user, methodReferences(claims))
  return obstacle ?? (apis.every(({ api }) => isAdmitted(api, user)) ? null : 'not_a_member')
}

type UserCodeCall = Parsed<typeof userCodeInput> & { session: Session }

/** Describes the request for the page `/device`. */
export async function describeDevice({ body, session, context }: UserCodeCall): Promise<DeviceRequest> {
  const found = await findByUserCode(body.userCode, session, context)
  const { app, words, apis, address, browser } = found
  const { email, groups } = session.user
  const obstacle = obstacleOfDevice(found, session)
  return {
    userCode: asShown(found.userCode),
    app: { name: app.name },
    scopes: ownScopes(words),
    ...(apis.length > 0 && { apis: apis.map(describeApi) }),
    email: words.includes('email') ? email : null,
    groups: words.includes('groups') ? [...groups] : [],
    from: {
      at: isoOfMilliseconds(found.createdAt),
      address,
      browser,
      isOwnNetwork: networkOf(address) === networkOf(context.address),
    },
    ...(obstacle && { obstacle }),
  }
}

type AnswerCall = Parsed<typeof deviceAnswerInput> & { session: Session; stepUp: StepUp | null }

/** Records the answer of a person; the first of a request counts, also of several at once. */
export async function answerDevice({ body, session, stepUp, context }: AnswerCall) {
  const found = await findByUserCode(body.userCode, session, context)
  const { id, app, words } = found
  const consumes = { jti: id, exp: Math.ceil(Number(found.validUntil) / 1000) }
  if (!body.allow) {
    await limitWrites('session-writes', session, async () => requireFirst(await consumeToken(consumes)))
    await flushed.changes`UPDATE "DeviceRequest" SET "denied" = ${true} WHERE "id" = ${id}`
    return
  }
  // Each time, whatever the app has already: this is another device.
  if (includesOfflineAccess(words) && stepUp === null) throw new ApiError('reauthentication_required')
  if (obstacleOfDevice(found, session) !== null) throw new ApiError('not_allowed')
  await limitWrites('session-writes', session, async () =>
    requireFirst(await saveGrant(session, { app, scopes: words, consumes }, context)),
  )
  const code = await issueCode(session, {
    app,
    redirectUri: '',
    challenge: null,
    nonce: null,
    scopes: words,
    milliseconds: lifeMilliseconds,
  })
  const codeId = code && idOfCode(code)
  if (!codeId) throw new ApiError('not_signed_in')
  const stands = await flushed.changes`UPDATE "DeviceRequest" SET "codeId" = ${codeId} WHERE "id" = ${id}`
  if (stands === 0) await endIssuedCode(codeId)
  logSecurityEvent('signed_in_to_app', context, { account: session.user.id, app: app.id })
}

function requireFirst(isFirst: boolean): void {
  if (!isFirst) throw new ApiError('not_found')
}

/**
 * Answers a device that asks whether somebody has allowed its request (section 3.5). One statement decides whether it waited long
 * enough, and one which of several polls gets the tokens, also between instances.
 *
 * @returns the id of the code, which is consumed
 * @throws OAuthError
 */
export async function pollDevice(deviceCode: string, app: AppWithSecrets): Promise<string> {
  const id = idOfCode(deviceCode)
  if (id === null) throw unknownCode()
  // For another app the code does not exist, as with authorization codes.
  const isTheirs = sql`"id" = ${id} AND "hash" = ${digestOf(deviceCode)} AND "appId" = ${app.id}`
  const now = Date.now()
  const waited = await flushed.changes`
    UPDATE "DeviceRequest" SET "polledAt" = ${BigInt(now)}
    WHERE ${isTheirs} AND ("polledAt" IS NULL OR "polledAt" + "pause" * 1000 <= ${BigInt(now + slackMilliseconds)})`
  if (waited === 0) {
    const slowed =
      await flushed.changes`UPDATE "DeviceRequest" SET "pause" = "pause" + ${pauseSeconds} WHERE ${isTheirs}`
    throw slowed === 1 ? new OAuthError('slow_down', 'Wait five seconds longer between two polls.') : unknownCode()
  }
  const [row] = await readRows<SqlRow<'DeviceRequest', 'denied' | 'codeId' | 'validUntil'>>`
    SELECT "denied", "codeId", "validUntil" FROM "DeviceRequest" WHERE ${isTheirs}`
  if (!row) throw unknownCode()
  if (row.denied) throw new OAuthError('access_denied', 'The person has not allowed it.')
  if (Number(row.validUntil) <= now)
    throw new OAuthError('expired_token', 'The device_code has expired. Ask for another.')
  if (row.codeId === null) throw new OAuthError('authorization_pending', 'Nobody has answered yet.')
  const won = await flushed.changes`DELETE FROM "DeviceRequest" WHERE ${isTheirs}`
  if (won === 0 || !(await consumeCodeOf(row.codeId))) throw unknownCode()
  return row.codeId
}

const unknownCode = () => new OAuthError('invalid_grant', 'The device_code is unknown, was used or has ended.')
