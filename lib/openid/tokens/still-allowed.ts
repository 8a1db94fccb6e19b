import type { App } from '../apps/app'
import { exclusionOf } from '../grants/exclusion'
import type { IssuedCode } from '../grants/issued-code'

/** An operator may have changed the app's rules, or the person's groups, since the sign-in. */
export const isStillAllowed = (app: Pick<App, 'groups' | 'requirePasskey'>, issued: IssuedCode) =>
  exclusionOf(app, issued.person, issued.amr) === null
