import { type ServerResponse, STATUS_CODES } from 'node:http'
import { sendNodeResponse } from 'srvx/node'
import { settings } from '@/lib/settings/settings'
import { strictHeaders } from '../response/security-headers'

/** Sends what a handler returned, with the headers of every response. */
export function sendResponse(response: ServerResponse, returned: Response): void | Promise<void> {
  // Not with setHeader(): before a list of headers, writeHead() of Node 20 then keeps only the last Set-Cookie.
  for (const [name, value] of Object.entries(strictHeaders(settings().secureCookies))) {
    if (!returned.headers.has(name)) returned.headers.set(name, value)
  }
  // srvx sends the text of the response, which is empty unless a fork has set one.
  if (returned.statusText === '')
    Object.defineProperty(returned, 'statusText', { value: STATUS_CODES[returned.status] })
  return sendNodeResponse(response, returned)
}
