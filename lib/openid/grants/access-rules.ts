import type { App } from '../apps/app'
import { isByPasskey } from './passkey-acr'
import type { Person } from './person'

/** What keeps a person who signed in by these methods (RFC 8176) from an app, by the app's rules; or null. In SQL: lib/auth/sessions/revocation/excluded-by-app.ts. */
export function obstacleOfRules(
  app: Pick<App, 'groups' | 'requirePasskey'>,
  { groups }: Pick<Person, 'groups'>,
  amr: readonly string[],
): 'not_a_member' | 'passkey_required' | null {
  if (app.groups.length > 0 && !app.groups.some((group) => groups.includes(group))) return 'not_a_member'
  return app.requirePasskey && !isByPasskey(amr) ? 'passkey_required' : null
}
