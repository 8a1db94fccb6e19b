import { localZone } from '@/lib/messages/format/dates'
import { readCookie, writeCookie } from './cookies'

/** Stores the reader's time zone in a cookie, so that the server renders the next page's times in it. */
export function rememberZone(): void {
  const zone = localZone()
  if (zone !== null && readCookie('zone') !== zone) writeCookie('zone', zone)
}
