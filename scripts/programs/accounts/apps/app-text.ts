import type { App } from '@/lib/openid/apps/app'
import type { MendableReason } from '@/lib/openid/apps/refusals'
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
      "It asked for a scope without openid, or for more than was granted. Set the scope in the app's settings: openid profile email",
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
export const credentialsText = (app: App, secret: string | null, issuer: string) =>
  table([
    ['Client ID', app.id],
    ['Client secret', secret ?? 'none: this app is public'],
    ['Issuer', issuer],
    ['Discovery', `${issuer}/.well-known/openid-configuration`],
  ])
