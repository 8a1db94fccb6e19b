import type { AppWithSecrets } from '../apps/app'
import type { Given } from '../grants/given'
import { isByPasskey } from '../grants/methods'
import { mayUse } from '../grants/person'

/** What an operator has decided since the person signed in to the app. */
export const stillMay = (app: AppWithSecrets, given: Given) =>
  mayUse(app, given.person) && (!app.requirePasskey || isByPasskey(given.amr))
