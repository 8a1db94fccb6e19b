import { type AdminPath, type AdminResult, carryOut } from '@/lib/admin/actions'
import { isApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import type { RegisteredApp, ShownAccount } from '@/lib/api/schemas'
import type { GroupMembers } from '@/lib/auth/operator/groups'
import { commandOperator } from '@/lib/auth/operator/operator'
import { settings } from '@/lib/settings/settings'
import { ask, farServer } from './far'
import { CommandError } from './terminal'

/** Who acts in this process. */
export const operator = commandOperator()

/**
 * What the endpoint of this path below /api/admin does and answers: in this process, or on the server of LATCHKEY_URL.
 *
 * @throws ApiError as it would
 */
export async function operate<P extends AdminPath>(path: P, body: unknown): Promise<AdminResult<P>> {
  const server = farServer()
  return server ? ask(server, path, body) : carryOut(operator, path, body)
}

/** The pages of a list, each asked for when the one before has been read. @param read asks for one */
export async function* pagesOf<P extends { after: string | null }>(
  read: (place: { after: string | undefined; limit: number }) => Promise<P>,
): AsyncGenerator<P> {
  for (let after: string | undefined; ; ) {
    const page = await read({ after, limit: limits.adminPage })
    yield page
    if (page.after === null) return
    after = page.after
  }
}

/** The issuer of tokens, where the commands act. */
export const issuerHere = () => farServer()?.origin ?? settings().origins[0]

/** Whether an endpoint says that there is no such thing, or that nothing can be called so. */
const isMissing = (error: unknown) => isApiError(error) && ['not_found', 'invalid_request'].includes(error.code)

/** For what was found, or taken for granted, and is not there. */
export const unlessThere = (error: () => Error) => (cause: unknown) => {
  throw isMissing(cause) ? error() : cause
}

/** Reads what an operator typed for an account or app: `id:<id>`, `name:<name>`, or (`kind` null) either without a prefix. */
function readReference(text: string): { kind: string | null; given: string } {
  const [, kind = null, given = text] = /^(id|name):(.*)$/s.exec(text) ?? []
  return { kind, given }
}

/** How the argument is explained in each command's help. */
export const accountArgument = 'an ID or a username; id:... or name:... where it could be either'

/** @throws CommandError if there is no such account, or if the argument is the id of one and the name of another */
export async function findAccount(reference: string): Promise<ShownAccount> {
  const { kind, given } = readReference(reference)
  const byId = kind === 'name' ? null : await findIfThere({ id: given })
  const byName = kind === 'id' ? null : await findIfThere({ username: given })
  const found = [byId, byName?.id === byId?.id ? null : byName].filter((account) => account !== null)
  return onlyMatch(reference, found, { kind: 'account', name: 'username' })
}

/** Null if there is none, also for what no account can be called. */
export const findIfThere = (named: { id: string } | { username: string }) =>
  operate('/accounts/show', named).catch((error: unknown) => {
    if (isMissing(error)) return null
    throw error
  })

/** How the argument is explained in each command's help. */
export const groupArgument = 'the name of a group: 1 to 64 of a-z, 0-9 and . _ -'

/** @throws CommandError if there is no such group */
export async function findGroup(name: string): Promise<GroupMembers> {
  return operate('/groups/show', { group: name }).catch(unlessThere(() => noSuchGroup(name)))
}

export const noSuchGroup = (name: string) =>
  name.startsWith('--')
    ? new CommandError(
        `There is no group ${JSON.stringify(name)}, and "group add" creates none that looks like an option.`,
        2,
      )
    : new CommandError(`There is no group ${JSON.stringify(name)}. "group add" creates one.`)

/** How the argument is explained in each command's help. */
export const appArgument = 'an ID or a name; id:... or name:... where it could be either'

/** @throws CommandError if there is no such app, or if the argument is the id of one and the name of another */
export async function findApp(reference: string): Promise<RegisteredApp> {
  const { kind, given } = readReference(reference)
  const { apps } = await operate('/apps', {})
  const isId = ({ id }: RegisteredApp) => kind !== 'name' && id === given
  // A name may contain a colon.
  const isName = ({ name }: RegisteredApp) => name === reference || (kind !== 'id' && name === given)
  const found = apps.filter((app) => isId(app) || isName(app))
  return onlyMatch(reference, found, { kind: 'app', name: 'name' })
}

/** @throws CommandError if there is none, or if the reference is the id of one and the name of another */
function onlyMatch<T extends { id: string } & Record<N, string>, N extends string>(
  reference: string,
  [found, other]: T[],
  { kind, name }: { kind: string; name: N },
): T {
  // Exit code 2: a word that begins with a hyphen was probably meant as an option.
  if (!found)
    throw new CommandError(`There is no ${kind} ${JSON.stringify(reference)}.`, reference.startsWith('-') ? 2 : 1)
  if (!other) return found
  const [byId, byName] = found.id === reference ? [found, other] : [other, found]
  throw new CommandError(
    `${reference} is the ID of the ${kind} ${byId[name]} and the ${name} of the ${kind} ${byName.id}. Say id:${reference} or name:${reference}.`,
  )
}
