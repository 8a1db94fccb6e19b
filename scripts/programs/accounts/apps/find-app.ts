import type { AppWithSecrets } from '@/lib/openid/apps/app'
import { findApps } from '@/lib/openid/operator/manage-apps'
import { onlyMatch } from '../command/only-match'

/** How the argument is explained in each command's help. */
export const appArgument = 'an ID or a name; id:... or name:... where it could be either'

/** @throws CommandError if there is no such app, or if the argument is the id of one and the name of another */
export const findApp = async (reference: string): Promise<AppWithSecrets> =>
  onlyMatch(reference, await findApps(reference), { kind: 'app', name: 'name' })
