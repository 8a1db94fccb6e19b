import { endpoints, type ParsedBody, type ResultOf } from '@/lib/api/endpoints'
import type { adminEndpoints } from '@/lib/api/endpoints/admin'
import { publicUser, type UserRow } from '@/lib/auth/accounts/account'
import { showAccount } from '@/lib/auth/operator/accounts'
import {
  disableAccount,
  enableAccount,
  findTarget,
  nameAsOperator,
  signOutAccount,
} from '@/lib/auth/operator/change-account'
import { type Operator, readLog } from '@/lib/auth/operator/operator'
import { parse } from '@/lib/auth/request'

/** An operation below /api/admin, without that. */
export type AdminPath = keyof typeof adminEndpoints extends `POST /api/admin${infer P}` ? P : never

type OperationOf<P extends AdminPath> = `POST /api/admin${P}` & keyof typeof adminEndpoints

export type AdminResult<P extends AdminPath> = ResultOf<OperationOf<P>>

export interface AdminCall<P extends AdminPath> {
  operator: Operator
  body: ParsedBody<OperationOf<P>>
}

type Action<P extends AdminPath> = (call: AdminCall<P>) => Promise<AdminResult<P>>

/** What changes an account, and answers with it. */
const changing =
  (change: (operator: Operator, account: UserRow) => Promise<void>) =>
  async ({ operator, body }: { operator: Operator; body: { id: string } }) => {
    const account = await findTarget(operator, body)
    await change(operator, account)
    return { user: publicUser(account) }
  }

/**
 * What operators can do, by the endpoint's path. The route files serve these, and the commands call them: so a command, a key and an
 * administrator's page leave equal rows.
 */
export const actions: { [P in AdminPath]: Action<P> } = {
  '/accounts/show': ({ body }) => showAccount(body),
  '/accounts/disable': changing(disableAccount),
  '/accounts/enable': changing(enableAccount),
  '/accounts/sign-out': changing(signOutAccount),
  '/accounts/name': async ({ operator, body }) => {
    const account = await findTarget(operator, body)
    return { user: publicUser(await nameAsOperator(operator, account, body.displayName)) }
  },
  '/log': ({ body }) => readLog(body),
}

/** Does in this process what the endpoint does, for a command beside the database. */
export function carryOut<P extends AdminPath>(operator: Operator, path: P, body: unknown): Promise<AdminResult<P>> {
  const { body: schema } = endpoints[`POST /api/admin${path}` as OperationOf<P>]
  const action = actions[path] as (call: { operator: Operator; body: unknown }) => Promise<AdminResult<P>>
  return action({ operator, body: parse(schema, body) })
}
