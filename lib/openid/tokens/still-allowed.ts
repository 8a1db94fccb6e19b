import type { App } from '../apps/app'
import { exclusionOf } from '../grants/exclusion'
import type { IssuedCode } from '../grants/issued-code'

/** What an operator has decided since the person signed in to the app. */
export const isStillAllowed = (app: Pick<App, 'groups' | 'requirePasskey'>, issued: IssuedCode) =>
  exclusionOf(app, issued.person, issued.amr) === null
