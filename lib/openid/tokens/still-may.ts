import type { App } from '../apps/app'
import type { IssuedCode } from '../grants/issued-code'
import { isByPasskey } from '../grants/methods'
import { mayUse } from '../grants/person'

/** What an operator has decided since the person signed in to the app. */
export const stillMay = (app: Pick<App, 'groups' | 'requirePasskey'>, issued: IssuedCode) =>
  mayUse(app, issued.person) && (!app.requirePasskey || isByPasskey(issued.amr))
