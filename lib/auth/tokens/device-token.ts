import type { RequestContext } from '../model/request-context'
import type { Claims } from './claims'
import { readToken } from './tokens'

/** Null unless the browser has signed in to the account before, in any epoch. */
export async function readDevice(userId: string, { device }: RequestContext): Promise<Claims<'device'> | null> {
  const claims = device === null ? null : await readToken('device', device)
  return claims?.sub === userId ? claims : null
}
