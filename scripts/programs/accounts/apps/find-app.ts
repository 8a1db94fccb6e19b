import type { AppWithSecrets } from '@/lib/openid/apps/app'
import { findApps } from '@/lib/openid/operator/manage-apps'
import { CommandError } from '../frame'

/** How the argument is explained in each command's help. */
export const appArgument = 'an id or a name; id:... or name:... where it could be either'

/** @throws CommandError if there is no such app, or if the argument is the id of one and the name of another */
export async function findApp(reference: string): Promise<AppWithSecrets> {
  const [app, other] = await findApps(reference)
  if (!app) throw new CommandError(`There is no app ${JSON.stringify(reference)}.`, reference.startsWith('-') ? 2 : 1)
  if (!other) return app
  const [byId, byName] = app.id === reference ? [app, other] : [other, app]
  throw new CommandError(
    `${reference} is the id of the app ${byId.name} and the name of the app ${byName.id}. Say id:${reference} or name:${reference}.`,
  )
}
