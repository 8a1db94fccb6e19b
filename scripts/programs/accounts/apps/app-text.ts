import type { App } from '@/lib/openid/apps/app'
import { table } from '../command/table'

export const appsText = (apps: App[]) =>
  table([
    ['NAME', 'ID', 'REDIRECT URIS'],
    ...apps.map(({ name, id, redirectUris }) => [name, id, redirectUris.join(' ')]),
  ])

const pkceText = { required: 'required', or_nonce: 'required, unless a nonce comes', off: 'not required' }

export function appText(app: App): string {
  const lines = (uris: string[]) => uris.join(' ') || 'none'
  return table([
    ['name', app.name],
    ['client ID', app.id],
    ['secret', app.public ? 'none: public' : 'yes'],
    ['redirect URIs', lines(app.redirectUris)],
    ['sign-out URIs', lines(app.signOutUris)],
    ['back-channel', app.backChannelUri ?? 'none'],
    ['home', app.homeUrl ?? 'none'],
    ['PKCE', pkceText[app.pkce]],
    ['consent', app.trusted ? 'nobody is asked: trusted' : 'asked for'],
    ['sign-in', app.requirePasskey ? 'with a passkey only' : 'any way'],
    ['groups', app.groups.join(' ') || 'everybody'],
    ['registered', app.createdAt],
  ])
}

/** What its settings page asks for. The secret is shown this once. */
export const credentialsText = (app: App, secret: string | null, issuer: string) =>
  table([
    ['Client ID', app.id],
    ['Client secret', secret ?? 'none: this app is public'],
    ['Issuer', issuer],
    ['Discovery', `${issuer}/.well-known/openid-configuration`],
  ])
