import type { Command } from 'commander'
import type { PkceRule } from '@/lib/openid/apps/app'
import type { AppSpec } from '@/lib/openid/operator/app-rules'
import { CommandError } from '../command/command-error'
import { collect } from '../command/options'
import type { CommonOptions } from '../command/perform'

/** As Commander reads them; false where the option with `no-` was given. */
export interface AppOptions extends CommonOptions {
  name?: string
  redirectUri?: string[]
  signOutUri?: string[] | false
  backChannel?: string | false
  home?: string | false
  group?: string[] | false
  public?: boolean
  pkce?: boolean
  requirePkce?: boolean
  trusted?: boolean
  requirePasskey?: boolean
}

/** The options that `add` and `change` share. */
export const withAppOptions = (command: Command): Command =>
  command
    .option('--public', 'it cannot keep a secret: a page without a server, or a program on the person’s device')
    .option('--require-pkce', 'accept no request without PKCE, not even with a nonce')
    .option('--no-pkce', 'accept requests with neither PKCE nor a nonce')
    .option('--trusted', 'ask nobody for consent to it')
    .option('--require-passkey', 'accept only sessions that a passkey opened')
    .option('--sign-out-uri <uri>', 'where it may send people after signing out; repeatable', collect)
    .option('--back-channel <uri>', 'what Latchkey calls when a session ends')
    .option('--home <uri>', 'its own front page')
    .option('--group <group>', 'only for members of this group; repeatable', collect)

/** The same for `change`, with what takes away. An option whose `no-` form came first would be set by default. */
export const withChanges = (command: Command): Command =>
  withAppOptions(command.option('--pkce', 'accept PKCE or a nonce again'))
    .option('--no-require-pkce', 'the same')
    .option('--name <name>', 'the new name')
    .option('--redirect-uri <uri>', 'replace all redirect URIs; repeatable', collect)
    .option('--no-trusted', 'ask for consent again')
    .option('--no-require-passkey', 'accept every session again')
    .option('--no-sign-out-uri', 'remove all sign-out URIs')
    .option('--no-back-channel', 'call nothing when a session ends')
    .option('--no-home', 'remove the front page')
    .option('--no-group', 'open it to everybody')

export const publicNeedsPkce = () =>
  new CommandError('A public app needs PKCE: --public and --no-pkce exclude each other.', 2)

/** Of a new app, `pkce` is true where nothing was typed. */
function pkceOf(flags: Pick<AppOptions, 'public' | 'pkce' | 'requirePkce'>): PkceRule | undefined {
  const { public: isPublic, pkce, requirePkce } = flags
  if (pkce === false && isPublic) throw publicNeedsPkce()
  if (pkce === false && requirePkce) throw new CommandError('--require-pkce and --no-pkce exclude each other.', 2)
  if (pkce === false) return 'off'
  if (requirePkce || (pkce && isPublic)) return 'required'
  return pkce || requirePkce === false ? 'or_nonce' : undefined
}

/** Only what was typed. */
export function specOf(options: AppOptions): Partial<AppSpec> {
  const { name, redirectUri, signOutUri, backChannel, home, group, ...flags } = options
  const given: { [K in keyof AppSpec]?: AppSpec[K] | undefined } = {
    name,
    redirectUris: redirectUri,
    signOutUris: signOutUri === false ? [] : signOutUri,
    backChannelUri: backChannel === false ? null : backChannel,
    homeUrl: home === false ? null : home,
    groups: group === false ? [] : group && [...new Set(group)],
    public: flags.public,
    pkce: pkceOf(flags),
    trusted: flags.trusted,
    requirePasskey: flags.requirePasskey,
  }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
