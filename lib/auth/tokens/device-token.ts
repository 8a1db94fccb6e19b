import type { RequestContext } from '../model/request-context'
import type { Claims } from './claims'
import { readToken } from './tokens'

/** Null unless the browser has signed in to an account before, in any epoch. */
export const readAnyDevice = async ({ device }: Pick<RequestContext, 'device'>): Promise<Claims<'device'> | null> =>
  device === null ? null : readToken('device', device)

/** Null unless the browser has signed in to this account before. */
export async function readDevice(userId: string, context: RequestContext): Promise<Claims<'device'> | null> {
  const claims = await readAnyDevice(context)
  return claims?.sub === userId ? claims : null
}
