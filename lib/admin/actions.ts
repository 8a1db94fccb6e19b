import { endpoints, type ParsedBody, type ResultOf } from '@/lib/api/endpoints'
import type { adminEndpoints } from '@/lib/api/endpoints/admin'
import { ApiError } from '@/lib/api/errors'
import { millisecondsOf } from '@/lib/api/schemas'
import { publicUser, type UserWithEpoch } from '@/lib/auth/account'
import { formatCursor, parseCursor } from '@/lib/auth/events/cursor'
import { logChange, readLog } from '@/lib/auth/events/operators-log'
import { listAccounts, showAccount } from '@/lib/auth/operator/accounts'
import {
  deleteAsOperator,
  disableAccount,
  enableAccount,
  endSession,
  makeRecoveryCode,
  nameAsOperator,
  removePasskeyAsOperator,
  renameAsOperator,
  setEmail,
  signOutAccount,
} from '@/lib/auth/operator/change-account'
import { addToGroup, deleteGroup, listGroups, removeFromGroup, showGroup } from '@/lib/auth/operator/groups'
import { findTarget, findTargets } from '@/lib/auth/operator/guards'
import { addInvitations, listInvitations, withdrawInvitation } from '@/lib/auth/operator/invitations'
import { addKey, deleteKey, listKeys } from '@/lib/auth/operator/keys'
import { tryLetter } from '@/lib/auth/operator/letters'
import type { Operator } from '@/lib/auth/operator/operator'
import { readStats } from '@/lib/auth/operator/stats'
import { parse } from '@/lib/auth/request'
import { listDeliveries, retryDelivery } from '@/lib/delivery/outbox'
import { type ApiSpec, apiDefaults, listApis, requireApi } from '@/lib/openid/apps/api'
import { describeApp } from '@/lib/openid/apps/app'
import { listApps, requireApp } from '@/lib/openid/apps/find'
import { readIcon } from '@/lib/openid/apps/icon'
import { addApi, changeApi, deleteApi } from '@/lib/openid/apps/manage-apis'
import { changeApp, deleteApp, newAppId, registerApp, replaceSecret } from '@/lib/openid/apps/manage-apps'
import { type AppSpecWithIcon, appDefaults } from '@/lib/openid/apps/spec'
import { applyWritten, dump } from '@/lib/openid/file/apply'
import { settings } from '@/lib/settings/settings'

/** An operation below /api/admin, without that. */
export type AdminPath = keyof typeof adminEndpoints extends `POST /api/admin${infer P}` ? P : never

type OperationOf<P extends AdminPath> = `POST /api/admin${P}` & keyof typeof adminEndpoints

export type AdminResult<P extends AdminPath> = ResultOf<OperationOf<P>>

interface AdminCall<P extends AdminPath> {
  operator: Operator
  body: ParsedBody<OperationOf<P>>
}

type Action<P extends AdminPath> = (call: AdminCall<P>) => Promise<AdminResult<P>>

/** What changes an account, and answers with it. */
const changing =
  <B extends { id: string }>(change: (operator: Operator, account: UserWithEpoch, body: B) => Promise<unknown>) =>
  async ({ operator, body }: { operator: Operator; body: B }) => {
    const account = await findTarget(operator, body)
    await change(operator, account, body)
    return { user: publicUser(account) }
  }

/** Takes what is given of an app, and no more; null takes a property away. */
async function appSpecOf(
  given: Omit<ParsedBody<'POST /api/admin/apps/change'>, 'app'>,
): Promise<Partial<AppSpecWithIcon>> {
  const { trusted, requirePasskey, signOutUris, groups, icon, device, ...same } = given
  const asked = {
    ...same,
    icon: typeof icon === 'string' ? await readIcon(icon) : icon,
    trusted: trusted === null ? false : trusted,
    requirePasskey: requirePasskey === null ? false : requirePasskey,
    device: device === null ? false : device,
    signOutUris: signOutUris === null ? [] : signOutUris,
    groups: groups === null ? [] : groups && [...new Set(groups)],
  }
  return Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined))
}

/** Takes what is given of an API, and no more; null takes a property away, or brings its default back. */
function apiSpecOf(given: Omit<ParsedBody<'POST /api/admin/apis/change'>, 'api'>): Partial<ApiSpec> {
  const fields = Object.entries(given).filter(([, value]) => value !== undefined)
  return Object.fromEntries(
    fields.map(([field, value]) => [field, value ?? apiDefaults[field as keyof typeof apiDefaults]]),
  )
}

/**
 * What operators can do, by the endpoint's path. The route files serve these, and the commands call them: so a command, a key and
 * an administrator's page leave equal rows.
 */
export const actions: { [P in AdminPath]: Action<P> } = {
  '/accounts': ({ body }) => listAccounts(body),
  '/accounts/show': ({ body }) => showAccount(body),
  '/accounts/disable': changing(disableAccount),
  '/accounts/enable': changing(enableAccount),
  '/accounts/sign-out': changing(signOutAccount),
  '/accounts/name': async ({ operator, body }) => {
    const account = await findTarget(operator, body)
    return { user: publicUser(await nameAsOperator(operator, account, body.displayName)) }
  },
  '/accounts/rename': async ({ operator, body }) => {
    const account = await findTarget(operator, body)
    return { user: publicUser(await renameAsOperator(operator, account, body.username)) }
  },
  '/accounts/email': changing((operator, account, { email }: { id: string; email: string | null }) =>
    setEmail(operator, account, email),
  ),
  '/accounts/remove-passkey': changing((operator, account, { passkey }: { id: string; passkey: string }) =>
    removePasskeyAsOperator(operator, account, passkey),
  ),
  '/accounts/end-session': changing((operator, account, { session }: { id: string; session: string }) =>
    endSession(operator, account, session),
  ),
  '/accounts/recovery-code': async ({ operator, body }) => makeRecoveryCode(operator, await findTarget(operator, body)),
  '/accounts/delete': async ({ operator, body }) => {
    await deleteAsOperator(operator, await findTarget(operator, body))
    return null
  },
  '/groups': async () => ({ groups: await listGroups() }),
  '/groups/show': ({ body }) => showGroup(body.group),
  '/groups/add': async ({ operator, body: { group, accounts = [] } }) => {
    await addToGroup(operator, group, await findTargets(accounts))
    return showGroup(group)
  },
  '/groups/remove': async ({ operator, body: { group, accounts } }) => {
    await showGroup(group)
    await removeFromGroup(operator, group, await findTargets(accounts))
    return showGroup(group)
  },
  '/groups/delete': async ({ operator, body: { group } }) => {
    await deleteGroup(operator, group)
    return { group }
  },
  '/apps': async () => ({ apps: await listApps() }),
  '/apps/show': async ({ body }) => ({ app: describeApp(await requireApp(body.app)) }),
  '/apps/add': async ({ operator, body: { id = newAppId(), name, redirectUris = [], machine = false, ...given } }) => {
    const pkce = given.public ? 'required' : appDefaults.pkce
    const uris = [...new Set(redirectUris)]
    const spec: AppSpecWithIcon = {
      ...appDefaults,
      pkce,
      ...(await appSpecOf(given)),
      id,
      name,
      redirectUris: uris,
      machine,
    }
    const { app, secret } = await registerApp(operator, spec)
    return { app, ...(secret !== null && { secret }), issuer: settings().origins[0] }
  },
  '/apps/change': async ({ operator, body: { app, ...given } }) => {
    const { app: changed, secret } = await changeApp(operator, await requireApp(app), await appSpecOf(given))
    return { app: changed, ...(secret !== null && { secret }) }
  },
  '/apps/new-secret': async ({ operator, body: { app, keepOld } }) =>
    replaceSecret(operator, await requireApp(app), keepOld === undefined ? 0 : millisecondsOf(keepOld)),
  '/apps/delete': async ({ operator, body }) => {
    const app = await requireApp(body.app)
    await deleteApp(operator, app)
    return { app: describeApp(app) }
  },
  '/apis': async () => ({ apis: await listApis() }),
  '/apis/show': async ({ body }) => ({ api: await requireApi(body.api) }),
  '/apis/add': async ({ operator, body: { identifier, name, ...given } }) => ({
    api: await addApi(operator, { ...apiDefaults, ...apiSpecOf(given), identifier, name }),
  }),
  '/apis/change': async ({ operator, body: { api, ...given } }) => ({
    api: await changeApi(operator, await requireApi(api), apiSpecOf(given)),
  }),
  '/apis/delete': async ({ operator, body }) => {
    const api = await requireApi(body.api)
    await deleteApi(operator, api)
    return { api }
  },
  '/stats': () => readStats(),
  '/deliveries': async ({ body: { after, limit = 50 } }) => {
    const cursor = { scope: 'deliveries', field: 'after' }
    const from = after === undefined ? null : parseCursor(after, cursor)
    const { deliveries, last } = await listDeliveries(from, limit)
    return { deliveries, after: last && formatCursor(last, cursor.scope) }
  },
  '/deliveries/retry': async ({ operator, body: { id } }) => {
    const delivery = await retryDelivery(id)
    if (!delivery) throw new ApiError('not_found')
    await logChange(operator, 'delivery_retried', delivery.account === null ? {} : { account: delivery.account })
    return { delivery }
  },
  '/letters/try': ({ operator, body }) => tryLetter(operator, body.email),
  '/keys': () => listKeys(),
  '/keys/add': ({ operator, body }) => addKey(operator, body),
  '/keys/delete': async ({ operator, body }) => {
    await deleteKey(operator, body.name)
    return null
  },
  '/invitations': ({ body }) => listInvitations(body),
  '/invitations/add': ({ operator, body }) => addInvitations(operator, body),
  '/invitations/withdraw': ({ operator, body }) => withdrawInvitation(operator, body),
  '/apply': ({ operator, body }) => applyWritten(operator, body),
  '/dump': () => dump(),
  '/log': ({ body }) => readLog(body),
}

/** Does in this process what the endpoint does, for a command beside the database. */
export async function carryOut<P extends AdminPath>(
  operator: Operator,
  path: P,
  body: unknown,
): Promise<AdminResult<P>> {
  const { body: schema } = endpoints[`POST /api/admin${path}` as OperationOf<P>]
  const action = actions[path] as (call: { operator: Operator; body: unknown }) => Promise<AdminResult<P>>
  return action({ operator, body: parse(schema, body) })
}
