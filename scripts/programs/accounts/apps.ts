import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { App, PkceRule } from '@/lib/openid/apps/app'
import { iconFault, iconUrlOf } from '@/lib/openid/apps/icon'
import type { MendableReason } from '@/lib/openid/apps/refusals'
import type { AppSpec } from '@/lib/openid/apps/spec'
import { addCommand, type CommonOptions, collect, perform, readSpan } from './command'
import { appArgument, findApp, issuerHere, operate } from './operate'
import { CommandError, confirm, table } from './terminal'

/** As Commander reads them; false where the option with `no-` was given. */
interface AppOptions extends CommonOptions {
  name?: string
  redirectUri?: string[]
  signOutUri?: string[] | false
  backChannel?: string | false
  home?: string | false
  icon?: string | false
  group?: string[] | false
  public?: boolean
  pkce?: boolean
  requirePkce?: boolean
  trusted?: boolean
  requirePasskey?: boolean
  machine?: boolean
  device?: boolean
}

/** The options that `add` and `change` share. */
const withAppOptions = (command: Command): Command =>
  command
    .option('--public', 'it cannot keep a secret: a page without a server, or a program on the person’s device')
    .option('--require-pkce', 'accept no request without PKCE, not even with a nonce')
    .option('--no-pkce', 'accept requests with neither PKCE nor a nonce')
    .option('--device', 'it may show a code that people enter on another device, as a program in a terminal does')
    .option('--trusted', 'ask nobody for consent to it')
    .option('--require-passkey', 'accept only sessions that a passkey opened')
    .option('--sign-out-uri <uri>', 'where it may send people after signing out; repeatable', collect)
    .option('--back-channel <uri>', 'what Latchkey calls when a session ends')
    .option('--home <uri>', 'its own front page, which people open from their profile')
    .option('--icon <image>', 'its picture there: a PNG, WebP or JPEG file, or the https URL of one, fetched once')
    .option('--group <group>', 'only for members of this group; repeatable', collect)

/** The same for `change`, with what takes away. An option whose `no-` form came first would be set by default. */
const withChanges = (command: Command): Command =>
  withAppOptions(command.option('--pkce', 'accept PKCE or a nonce again'))
    .option('--no-require-pkce', 'the same')
    .option('--name <name>', 'the new name')
    .option('--redirect-uri <uri>', 'replace all redirect URIs; repeatable', collect)
    .option('--no-device', 'let it show no more codes')
    .option('--no-trusted', 'ask for consent again')
    .option('--no-require-passkey', 'accept every session again')
    .option('--no-sign-out-uri', 'remove all sign-out URIs')
    .option('--no-back-channel', 'call nothing when a session ends')
    .option('--no-home', 'remove the front page')
    .option('--no-icon', 'show its first letter in place of a picture')
    .option('--no-group', 'open it to everybody')

const publicNeedsPkce = () => new CommandError('A public app needs PKCE: --public and --no-pkce exclude each other.', 2)

/** For a new app, Commander sets `pkce` to true if no option was typed. */
function pkceOf(flags: Pick<AppOptions, 'public' | 'pkce' | 'requirePkce'>): PkceRule | undefined {
  const { public: isPublic, pkce, requirePkce } = flags
  if (pkce === false && isPublic) throw publicNeedsPkce()
  if (pkce === false && requirePkce) throw new CommandError('--require-pkce and --no-pkce exclude each other.', 2)
  if (pkce === false) return 'off'
  if (requirePkce || (pkce && isPublic)) return 'required'
  return pkce || requirePkce === false ? 'or_nonce' : undefined
}

/** A URL as it is, since the server fetches it; the content of a file, which the server may not have. */
async function imageOf(image: string): Promise<string> {
  if (/^https?:/.test(image)) return image
  const bytes = await readFile(image).catch(({ code }: NodeJS.ErrnoException) => {
    throw new CommandError(`The image ${image} cannot be read (${code}).`, 2)
  })
  const fault = iconFault(bytes)
  if (fault) throw new CommandError(fault, 2)
  return iconUrlOf(bytes)
}

/** Makes the properties of an app from the options that were typed, and of those alone. */
async function typedApp(options: AppOptions) {
  const { name, redirectUri, signOutUri, backChannel, home, icon, group, ...flags } = options
  const given: { [K in keyof AppSpec]?: AppSpec[K] | undefined } & { icon: string | null | undefined } = {
    name,
    redirectUris: redirectUri,
    signOutUris: signOutUri === false ? [] : signOutUri,
    backChannelUri: backChannel === false ? null : backChannel,
    homeUrl: home === false ? null : home,
    icon: icon === false ? null : icon && (await imageOf(icon)),
    groups: group === false ? [] : group && [...new Set(group)],
    public: flags.public,
    pkce: pkceOf(flags),
    device: flags.device,
    trusted: flags.trusted,
    requirePasskey: flags.requirePasskey,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

const appsText = (apps: App[]) =>
  table([
    ['NAME', 'ID', 'REDIRECT URIS'],
    ...apps.map(({ name, id, redirectUris }) => [name, id, redirectUris.join(' ')]),
  ])

const pkceText = { required: 'required', or_nonce: 'required, unless a nonce comes', off: 'not required' }

function appText(app: App): string {
  const lines = (uris: string[]) => uris.join(' ') || 'none'
  return table([
    ['name', app.name],
    ['client ID', app.id],
    ['secret', app.public ? 'none: public' : 'yes'],
    ['redirect URIs', app.machine ? 'none: a machine' : lines(app.redirectUris)],
    ['shows codes', app.device ? 'yes: people enter them on another device' : 'no'],
    ['sign-out URIs', lines(app.signOutUris)],
    ['back-channel', app.backChannelUri ?? 'none'],
    ['home', app.homeUrl ?? 'none'],
    ['icon', app.icon === null ? 'none' : 'yes'],
    ['PKCE', pkceText[app.pkce]],
    ['consent', app.trusted ? 'nobody is asked: trusted' : 'asked for'],
    ['sign-in', app.requirePasskey ? 'with a passkey only' : 'any way'],
    ['groups', app.groups.join(' ') || 'everybody'],
    ['registered', app.createdAt],
    ['last refusal', app.lastRefusal ? `${app.lastRefusal.at}  ${refusalText(app, app.lastRefusal.reason)}` : 'none'],
  ])
}

/** What happened, and what mends it. */
function refusalText({ id, public: isPublic, pkce }: App, reason: MendableReason): string {
  const change = `npm run accounts -- app change ${id}`
  const inLog = 'the line app_refused of the log has it'
  const texts: Record<MendableReason, string> = {
    code_challenge_missing:
      pkce === 'required'
        ? `Its request had no PKCE. Turn PKCE (S256) on in the app's settings${isPublic ? '' : `, or run: ${change} --no-require-pkce`}`
        : `Its request had neither PKCE nor a nonce. Turn PKCE (S256) on in the app's settings, or run: ${change} --no-pkce`,
    redirect_uri_not_registered: `It sent a redirect URI that is not registered; ${inLog}. Run, with all that it uses: ${change} --redirect-uri <uri>`,
    sign_out_uri_not_registered: `After a sign-out it wanted to lead to a URI that is not registered; ${inLog}. Run, with all that it uses: ${change} --sign-out-uri <uri>`,
    unsupported_response_type:
      "It asked for another response_type than code. Choose the authorization code flow in the app's settings",
    repeated_parameter:
      "It sent a parameter twice. Remove what repeats it from the app's settings, such as extra parameters",
    invalid_request:
      "Its request was malformed. The answer that it got says why, as error_description: see the app's log",
    invalid_scope:
      "It asked for a scope without openid, for more than was granted, or for none of the API's. Set the scope in the app's settings: openid profile email",
    invalid_target:
      'It sent a resource that is the identifier of no API that it may use. See api list, and api change <api> --app',
    invalid_client: isPublic
      ? "It sent a secret, which a public app has not. Leave the client secret empty in the app's settings"
      : `Its client secret was wrong or missing. Enter what this prints in the app's settings: npm run accounts -- app new-secret ${id}`,
    invalid_grant:
      "It sent a code or refresh token that had expired, was used before or was another request's. If this goes on, look whether two of its processes share one sign-in, and at the error_description in its log",
    group: `Somebody who is in none of its groups tried to sign in. Run: npm run accounts -- group add <group> <account>, or: ${change} --no-group`,
    passkey: `Somebody came without a passkey. They add one on their profile, or run: ${change} --no-require-passkey`,
  }
  return texts[reason]
}

/** What its settings page asks for. The secret is shown this once. */
const credentialsText = (app: App, secret: string | null, issuer = issuerHere()) =>
  table([
    ['Client ID', app.id],
    ['Client secret', secret ?? 'none: this app is public'],
    ['Issuer', issuer],
    ['Discovery', `${issuer}/.well-known/openid-configuration`],
  ])

export function addApp(program: Command): void {
  const group = program.command('app').description('registers the apps that people sign in to')
  withAppOptions(addCommand(group, 'add', 'registers an app, and prints its ID and secret, once'))
    .argument('<name>', 'as people see it')
    .argument(
      '[redirect-uri...]',
      'where people return to it, exactly as it sends it; none for a machine, and optional with --device',
    )
    .option('--machine', 'it acts for nobody: its secret alone gets it tokens for APIs')
    .option('--id <id>', 'a client ID that it has already, in place of a new one')
    .action(perform(add, { fromAfar: 'changes' }))
  addCommand(group, 'list', 'lists apps by name').action(
    perform(
      async () => {
        const { apps } = await operate('/apps', {})
        return { json: { apps }, text: appsText(apps) }
      },
      { fromAfar: 'reads' },
    ),
  )
  addCommand(group, 'show', 'shows an app')
    .argument('<app>', appArgument)
    .action(
      perform(
        async (_, reference: string) => {
          const app = await findApp(reference)
          return { json: { app }, text: appText(app) }
        },
        { fromAfar: 'reads' },
      ),
    )
  withChanges(addCommand(group, 'change', 'changes what the options name, and nothing else'))
    .argument('<app>', appArgument)
    .action(perform(change, { fromAfar: 'changes' }))
  addCommand(group, 'new-secret', 'replaces the secret, and prints the new one once')
    .argument('<app>', appArgument)
    .option('--keep-old <duration>', 'accept the old secret for this long, such as 24h', readSpan)
    .action(perform(newSecret, { fromAfar: 'changes' }))
  addCommand(group, 'delete', 'deletes an app, all grants to it and their tokens')
    .argument('<app>', appArgument)
    .action(perform(remove, { fromAfar: 'changes' }))
}

async function add({ id, machine, ...options }: AppOptions & { id?: string }, name: string, redirectUris: string[]) {
  if (!machine && !options.device && redirectUris.length === 0)
    throw new CommandError(
      'Name the redirect URI where people return to the app; only one with --machine or --device needs none.',
      2,
    )
  const given = { ...(await typedApp(options)), id, machine, name, redirectUris }
  const { app, secret = null, issuer } = await operate('/apps/add', given)
  return {
    json: { app, ...(secret !== null && { secret }), issuer },
    text: credentialsText(app, secret, issuer),
  }
}

async function change(options: AppOptions, reference: string) {
  const app = await findApp(reference)
  const given = await typedApp(options)
  if (Object.keys(given).length === 0) throw new CommandError('Name what to change: `app change --help` lists it.', 2)
  const { public: isPublic = app.public, pkce = app.pkce } = given
  if (isPublic && (pkce === 'off' || (app.public && pkce !== 'required'))) throw publicNeedsPkce()
  const { app: changed } = await operate('/apps/change', { app: app.id, ...given })
  return { json: { app: changed }, text: appText(changed) }
}

async function newSecret({ keepOld }: { keepOld?: string }, reference: string) {
  const { id } = await findApp(reference)
  const { app, secret } = await operate('/apps/new-secret', { app: id, keepOld })
  return { json: { app, secret }, text: credentialsText(app, secret) }
}

async function remove(options: AppOptions, reference: string) {
  const found = await findApp(reference)
  await confirm(`Delete the app ${found.name} (${found.id}), all grants to it and their tokens?`, options)
  const { app } = await operate('/apps/delete', { app: found.id })
  return { json: { app }, text: `${app.name} is deleted.` }
}
