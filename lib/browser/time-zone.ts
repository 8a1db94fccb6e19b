import { localZone } from '@/lib/messages/format'
import { readCookie, writeCookie } from './cookies'

/** Tells the server the reader's zone, in which it renders the next page's times. */
export function rememberZone(): void {
  const zone = localZone()
  if (zone !== null && readCookie('zone') !== zone) writeCookie('zone', zone)
}
