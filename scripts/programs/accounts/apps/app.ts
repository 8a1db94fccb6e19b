import type { Command } from 'commander'
import { type App, type AppWithSecrets, describeApp } from '@/lib/openid/apps/app'
import type { AppSpec } from '@/lib/openid/operator/app-rules'
import { changeApp, deleteApp, listApps, newAppId, registerApp, replaceSecret } from '@/lib/openid/operator/manage-apps'
import { settings } from '@/lib/settings/settings'
import { CommandError } from '../command/command-error'
import { confirm } from '../command/confirm'
import { readDuration } from '../command/options'
import { perform } from '../command/perform'
import { addCommand } from '../command/program'
import { type AppOptions, publicNeedsPkce, specOf, withAppOptions, withChanges } from './app-options'
import { appsText, appText, credentialsText } from './app-text'
import { appArgument, findApp } from './find-app'

export function addApp(program: Command): void {
  const group = program.command('app').description('registers the apps that people sign in to')
  withAppOptions(addCommand(group, 'add', 'registers an app, and prints its ID and secret, once'))
    .argument('<name>', 'as people see it')
    .argument('<redirect-uri...>', 'where people return to it, exactly as it sends it')
    .option('--id <id>', 'a client ID that it has already, in place of a new one')
    .action(perform(add))
  addCommand(group, 'list', 'lists apps by name').action(
    perform(async () => {
      const apps = await listApps()
      return { json: { apps }, text: appsText(apps) }
    }),
  )
  forOneApp(addCommand(group, 'show', 'shows an app'), async (app) => describeApp(app))
  forOneApp(withChanges(addCommand(group, 'change', 'changes what the options name, and nothing else')), change)
  addCommand(group, 'new-secret', 'replaces the secret, and prints the new one once')
    .argument('<app>', appArgument)
    .option('--keep-old <duration>', 'accept the old secret for this long, such as 24h', readDuration, 0)
    .action(perform(newSecret))
  addCommand(group, 'delete', 'deletes an app, all grants to it and their tokens')
    .argument('<app>', appArgument)
    .action(perform(remove))
}

const forOneApp = (command: Command, act: (app: AppWithSecrets, options: AppOptions) => Promise<App>) =>
  command.argument('<app>', appArgument).action(
    perform(async (options: AppOptions, reference: string) => {
      const app = await act(await findApp(reference), options)
      return { json: { app }, text: appText(app) }
    }),
  )

/** Of options that were not typed. */
const defaults: Omit<AppSpec, 'id' | 'name' | 'redirectUris'> = {
  signOutUris: [],
  backChannelUri: null,
  homeUrl: null,
  public: false,
  pkce: 'or_nonce',
  trusted: false,
  requirePasskey: false,
  groups: [],
}

async function add({ id = newAppId(), ...options }: AppOptions & { id?: string }, name: string, uris: string[]) {
  const redirectUris = [...new Set(uris)]
  const given = specOf(options)
  const { app, secret } = await registerApp({ ...defaults, ...given, id, name, redirectUris })
  const issuer = settings().origins[0]
  return {
    json: { app, ...(secret !== null && { secret }), issuer },
    text: credentialsText(app, secret, issuer),
  }
}

function change(app: AppWithSecrets, options: AppOptions) {
  const given = specOf(options)
  if (Object.keys(given).length === 0) throw new CommandError('Name what to change: `app change --help` lists it.', 2)
  const { public: isPublic = app.public, pkce = app.pkce } = given
  if (isPublic && (pkce === 'off' || (app.public && pkce !== 'required'))) throw publicNeedsPkce()
  return changeApp(app, given)
}

async function newSecret({ keepOld }: { keepOld: number }, reference: string) {
  const { app, secret } = await replaceSecret(await findApp(reference), keepOld)
  return { json: { app, secret }, text: credentialsText(app, secret, settings().origins[0]) }
}

async function remove(options: AppOptions, reference: string) {
  const app = await findApp(reference)
  await confirm(`Delete the app ${app.name} (${app.id}), all grants to it and their tokens?`, options)
  await deleteApp(app)
  return { json: { app: describeApp(app) }, text: `${app.name} is deleted.` }
}
