// What the apps here have in common: where they and Latchkey are, a session for each browser, and what a page shows.
import { createHash, randomUUID } from 'node:crypto'
import { serve } from 'srvx'

export const { APP = '', ISSUER = '', CLIENT_ID = '', CLIENT_SECRET = '' } = process.env

/** @param {(request: Request) => Response | Promise<Response>} fetch */
export const listen = (fetch) =>
  serve({ fetch, port: Number(process.env.PORT), hostname: '127.0.0.1', silent: true, gracefulShutdown: false })

/** @typedef {{ username: string, sub: string, accessToken?: string | null | undefined, refresh?: boolean }} Person */

/** @param {Person} [person] */
export function home(person) {
  if (!person) return html('<p>Nobody is signed in.</p><a href="/sign-in">Sign in</a>')
  const { username, sub, accessToken, refresh } = person
  const digest = accessToken ? createHash('sha256').update(accessToken).digest('hex') : ''
  return html(
    `<p>Signed in as <b>${username}</b>, <i>${sub}</i>, with token <code>${digest}</code></p>
    ${refresh ? '<a href="/refresh">Refresh</a>' : ''} <a href="/sign-out">Sign out</a>`,
  )
}

/** @param {string} body */
const html = (body) =>
  new Response(`<!doctype html><title>App</title>${body}`, { headers: { 'Content-Type': 'text/html' } })

/** @type {Map<string, any>} */
const sessions = new Map()

/** @param {Request} request */
export const sessionOf = (request) => sessions.get(/app=([\w-]+)/.exec(request.headers.get('cookie') ?? '')?.[1] ?? '')

/** Begins a session and leads on. @param {object} session @param {string | URL} location */
export function begin(session, location) {
  const id = randomUUID()
  sessions.set(id, session)
  return redirect(location, `app=${id}; HttpOnly; SameSite=Lax; Path=/`)
}

/** @param {string | URL} location @param {string} [cookie] */
export const redirect = (location, cookie) =>
  new Response(null, { status: 302, headers: { Location: String(location), ...(cookie && { 'Set-Cookie': cookie }) } })
