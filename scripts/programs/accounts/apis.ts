import { type Command, InvalidArgumentError } from 'commander'
import type { RegisteredApi } from '@/lib/api/schemas'
import { addCommand, type CommonOptions, collect, perform, readSpan } from './command'
import { findApp, operate } from './operate'
import { CommandError, confirm, table } from './terminal'

/** As Commander reads them; false where the option with `no-` was given. */
interface ApiOptions extends CommonOptions {
  name?: string
  scope?: [name: string, sentence: string][] | false
  app?: string[] | false
  anyApp?: boolean
  group?: string[] | false
  lifetime?: string
}

const apiArgument = 'its identifier or its name'

function collectScope(text: string, before: ApiOptions['scope']): [string, string][] {
  const [, name, sentence] = /^([^=]+)=(.+)$/s.exec(text) ?? []
  if (name === undefined || sentence === undefined)
    throw new InvalidArgumentError('Write the scope and what it lets an app do: "notes.read=Read your notes".')
  return [...(before || []), [name, sentence]]
}

const withApiOptions = (command: Command): Command =>
  command
    .option(
      '--scope <scope=sentence>',
      'a scope, and what it lets an app do, as people read it; repeatable',
      collectScope,
    )
    .option('--app <app>', 'an app that may ask for tokens; repeatable', collect)
    .option('--any-app', 'every app may ask for tokens')
    .option('--group <group>', 'tokens only for members of this group; repeatable', collect)
    .option('--lifetime <duration>', 'how long a token is good, from 1m to 1h; 15m without it', readSpan)

/** Makes the properties of an API from the options that were typed, and of those alone. */
async function typedApi({ name, scope, app, anyApp, group, lifetime }: ApiOptions) {
  if (anyApp && app !== undefined) throw new CommandError('--any-app excludes --app and --no-app.', 2)
  const apps = app === false ? [] : app && (await idsOf(app))
  const given = {
    name,
    scopes: scope === false ? {} : scope && Object.fromEntries(scope),
    apps: anyApp ? 'any' : apps,
    groups: group === false ? [] : group,
    lifetime,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

async function idsOf(references: string[]): Promise<string[]> {
  const ids: string[] = []
  for (const reference of references) ids.push((await findApp(reference)).id)
  return ids
}

async function findApi(reference: string): Promise<RegisteredApi> {
  const { apis } = await operate('/apis', {})
  const named = apis.filter(({ name }) => name === reference)
  const found = apis.find(({ identifier }) => identifier === reference) ?? named[0]
  if (!found)
    throw new CommandError(`There is no API ${JSON.stringify(reference)}. "api list" has those that there are.`)
  if (found.identifier !== reference && named.length > 1)
    throw new CommandError(
      `Several APIs are called ${reference}. Say the identifier: ${named.map(({ identifier }) => identifier).join(' ')}`,
    )
  return found
}

const appsText = ({ apps }: RegisteredApi) => (apps === 'any' ? 'any' : apps.join(' ') || 'none: see --app, --any-app')

const apiText = (api: RegisteredApi) =>
  table([
    ['name', api.name],
    ['identifier', api.identifier],
    ...(Object.entries(api.scopes).length === 0
      ? [['scopes', 'none']]
      : Object.entries(api.scopes).map(([scope, sentence], index) => [
          index === 0 ? 'scopes' : '',
          `${scope}  ${sentence}`,
        ])),
    ['apps', appsText(api)],
    ['groups', api.groups.join(' ') || 'everybody'],
    ['lifetime', api.lifetime],
    ['registered', api.createdAt],
  ])

export function addApis(program: Command): void {
  const group = program.command('api').description('registers the services that take access tokens of apps')
  withApiOptions(addCommand(group, 'add', 'registers an API'))
    .argument('<name>', 'as people see it')
    .argument('<identifier>', 'its https URI, which apps name as resource, and which is the aud of its tokens')
    .action(perform(add, { fromAfar: 'changes' }))
  addCommand(group, 'list', 'lists APIs by name').action(
    perform(
      async () => {
        const { apis } = await operate('/apis', {})
        const rows = apis.map((api) => [api.name, api.identifier, Object.keys(api.scopes).join(' '), appsText(api)])
        return { json: { apis }, text: table([['NAME', 'IDENTIFIER', 'SCOPES', 'APPS'], ...rows]) }
      },
      { fromAfar: 'reads' },
    ),
  )
  addCommand(group, 'show', 'shows an API')
    .argument('<api>', apiArgument)
    .action(
      perform(
        async (_, reference: string) => {
          const api = await findApi(reference)
          return { json: { api }, text: apiText(api) }
        },
        { fromAfar: 'reads' },
      ),
    )
  withApiOptions(addCommand(group, 'change', 'changes what the options name, and nothing else'))
    .option('--name <name>', 'the new name')
    .option('--no-scope', 'remove all scopes')
    .option('--no-app', 'let no app ask for tokens')
    .option('--no-group', 'open it to everybody')
    .argument('<api>', apiArgument)
    .action(perform(change, { fromAfar: 'changes' }))
  addCommand(group, 'delete', 'deletes an API: no more tokens are issued for it')
    .argument('<api>', apiArgument)
    .action(perform(remove, { fromAfar: 'changes' }))
}

async function add(options: ApiOptions, name: string, identifier: string) {
  const { api } = await operate('/apis/add', { ...(await typedApi(options)), name, identifier })
  return { json: { api }, text: apiText(api) }
}

async function change(options: ApiOptions, reference: string) {
  const { identifier } = await findApi(reference)
  const given = await typedApi(options)
  if (Object.keys(given).length === 0) throw new CommandError('Name what to change: `api change --help` lists it.', 2)
  const { api } = await operate('/apis/change', { ...given, api: identifier })
  return { json: { api }, text: apiText(api) }
}

async function remove(options: ApiOptions, reference: string) {
  const { identifier, name } = await findApi(reference)
  await confirm(`Delete the API ${name} (${identifier})? Its tokens end within their lifetime.`, options)
  const { api } = await operate('/apis/delete', { api: identifier })
  return { json: { api }, text: `${api.name} is deleted.` }
}
