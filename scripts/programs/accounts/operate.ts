import { type AdminPath, type AdminResult, carryOut } from '@/lib/admin/actions'
import { endpoints } from '@/lib/api/endpoints'
import { ApiError, type ErrorCode, errorStatus, isApiError } from '@/lib/api/errors'
import { limits } from '@/lib/api/limits'
import { errorResponse, type RegisteredApp, type ShownAccount } from '@/lib/api/schemas'
import { readReference } from '@/lib/auth/operator/accounts'
import type { GroupMembers } from '@/lib/auth/operator/groups'
import { commandOperator } from '@/lib/auth/operator/operator'
import { settings } from '@/lib/settings/settings'
import { CommandError, type FarServer, farServer, onlyMatch } from './command'

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
  new CommandError(`There is no group ${JSON.stringify(name)}. "group add" creates one.`)

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

const longestWait = 20_000

async function ask<P extends AdminPath>(server: FarServer, path: P, body: unknown): Promise<AdminResult<P>> {
  const { origin, key } = server
  const { status, text } = await send(`${origin}/api/admin${path}`, server, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', 'Accept-Language': 'en' },
    body: JSON.stringify(body),
  })
  const answer = status === 204 ? null : parseJson(text)
  const results: Record<number, { safeParse(value: unknown): { success: boolean } } | null> =
    endpoints[`POST /api/admin${path}` as keyof typeof endpoints].results
  const schema = results[status]
  if (schema === null && answer === null) return null as AdminResult<P>
  if (schema?.safeParse(answer).success) return answer as AdminResult<P>
  if (schema !== undefined && answer !== undefined)
    throw new CommandError(`${origin} has another version of Latchkey. Use its own commands.`)
  const { data: error } = errorResponse.safeParse(answer)
  if (!error)
    throw new CommandError(
      `${origin} answers ${status}, and not as Latchkey does. Check LATCHKEY_URL and what proxies do.`,
    )
  if (error.code === 'authentication_failed')
    throw new CommandError(`${origin} does not know this key. It may have expired or been deleted.`)
  if (error.code === 'not_allowed')
    throw new CommandError(`This key may not do that${neededFor(path)}, or the account is an administrator's.`)
  if (error.code === 'not_found' && !(await knows(server, path)))
    throw new CommandError(`${origin} has an older version of Latchkey, without this. Use its own commands.`)
  const fields = Object.entries(error.fields ?? {}).map(([name, text]) => [name, { key: 'app_fault', text } as const])
  if (!(error.code in errorStatus)) throw new CommandError(error.error)
  throw new ApiError(error.code as ErrorCode, error.fields ? { fields: Object.fromEntries(fields) } : {})
}

/** Which areas the endpoint takes, in words. */
function neededFor(path: AdminPath): string {
  const { areas, writes } = endpoints[`POST /api/admin${path}`].rights
  if (areas === null) return ''
  return `: it takes the area ${areas.join(' and ')}${writes ? ', and no key that only reads' : ''}`
}

/** An account that is not there and an endpoint that is not are the same answer, so the server's own list tells. */
async function knows(server: FarServer, path: AdminPath): Promise<boolean> {
  const { text } = await send(`${server.origin}/api/openapi.json`, server, {})
  const document = parseJson(text) as { paths?: Record<string, unknown> } | undefined
  return document?.paths?.[`/api/admin${path}`] !== undefined
}

/** Redirects are not followed: another host would get the key. @throws CommandError */
async function send(url: string, { origin }: FarServer, request: RequestInit) {
  try {
    const response = await fetch(url, { ...request, redirect: 'manual', signal: AbortSignal.timeout(longestWait) })
    const location = response.headers.get('Location')
    if (response.status >= 300 && response.status < 400)
      throw new CommandError(
        `${origin} leads to ${location ?? 'another place'}. Set LATCHKEY_URL to the server's own origin.`,
      )
    return { status: response.status, text: await response.text() }
  } catch (error) {
    throw error instanceof CommandError ? error : new CommandError(unreachable(origin, error))
  }
}

function unreachable(origin: string, error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `${origin} did not answer within 20 seconds.`
  const { code = '', message = '' } = ((error as Error).cause ?? error) as NodeJS.ErrnoException
  if (/^(CERT_|DEPTH_|SELF_SIGNED|UNABLE_TO_|HOSTNAME_|ERR_TLS|ERR_SSL|EPROTO)/.test(code))
    return `The certificate of ${origin} cannot be trusted, or it does not speak TLS (${code}). NODE_EXTRA_CA_CERTS names a private authority.`
  return `${origin} cannot be reached (${code || message}). Check LATCHKEY_URL, and that the server runs.`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
