import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { parseCookie, parseSetCookie } from 'cookie'
import { ownFile } from '@/lib/process/files'
import type { People } from './people'

/*
 * The second port: whoever can reach it on this machine is signed in as whom they name, with the key that lies in `.latchkey`.
 * So what a page of another site can make a browser send is refused, whatever the site: only a navigation that the person begins,
 * here or on localhost, and programs that are no browsers, get through.
 */

interface Answer {
  status: number
  type?: string
  body?: string
  headers?: Record<string, string | string[]>
}

const refusal = (status: number, sentence: string, headers = {}): Answer => ({ status, body: `${sentence}\n`, headers })

/** @param port where it listens @param url of Latchkey */
export function asListener(people: People, { port, url }: { port: number; url: string }): RequestListener {
  const own = `http://localhost:${port}`
  // Of this process: a page elsewhere cannot know what the button carries.
  const secret = randomBytes(32)
  const proofOf = (path: string) => createHmac('sha256', secret).update(path).digest('base64url')
  return (request, response) => {
    answer(request, { people, own, port, url, proofOf })
      .catch((error: unknown) =>
        refusal(502, `Latchkey did not sign in: ${error instanceof Error ? error.message : error}`),
      )
      .then((given) => send(response, given))
  }
}

interface Here {
  people: People
  own: string
  port: number
  url: string
  proofOf: (path: string) => string
}

async function answer(request: IncomingMessage, here: Here): Promise<Answer> {
  const refused = refuse(request, here.port)
  if (refused) return refused
  if (!URL.canParse(request.url ?? '', here.own)) return refusal(400, 'This is no address.')
  const { pathname, searchParams } = new URL(request.url ?? '', here.own)
  if (request.headers.host === `127.0.0.1:${here.port}`)
    return { status: 307, headers: { Location: `${here.own}${request.url}` } }
  if (pathname === '/' || pathname === '/as' || pathname === '/as/')
    return page(list(here, 'Nobody is signed in by this page.'))
  if (pathname === '/llms.txt')
    return { status: 200, type: 'text/plain; charset=utf-8', body: await readFile(ownFile('docs/llms.txt'), 'utf8') }
  const name = nameIn(pathname)
  const member = name === null ? undefined : here.people.find(name)
  if (name === null || !member)
    return refusal(404, `There is nobody at ${pathname}. There are: ${links(here).join(', ') || 'none'}`)
  const to = target(searchParams)
  if (to === undefined)
    return refusal(
      400,
      `"to" must be an address on this machine, such as ${here.own.replace(/\d+$/, '3000')}/, with http or https, and without a user.`,
    )
  const as = searchParams.getAll('as')
  if (as.some((form) => form !== 'storage-state')) return refusal(400, '"as" can only be storage-state.')
  if (!isConfirmed(request, name, searchParams, here)) return button(name, searchParams, here)
  const before = parseCookie(request.headers.cookie ?? '', { decode: (text) => text })
  const ours = cookiesOfLatchkey(before)
  await here.people.signOut(ours)
  const cookies = await here.people.signIn(name, member, ours)
  if (as.length > 0) return { status: 200, type: 'application/json', body: storageState(cookies) }
  const headers = { 'Set-Cookie': [...cookies, ...expired(before)] }
  if (to === null) return { ...page(list(here, `You are signed in as ${name}.`)), headers }
  return { status: 303, headers: { ...headers, Location: to } }
}

/** What no person and no program of this machine sends, but a page of another site, or a proxy for another machine. */
function refuse({ headers, method, rawHeaders }: IncomingMessage, port: number): Answer | null {
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  // Another name that leads here is DNS rebinding: to the browser, the page that asks would be of this origin.
  if (hosts.length !== 1 || ![`localhost:${port}`, `127.0.0.1:${port}`].includes(headers.host ?? ''))
    return refusal(403, `This is http://localhost:${port}, and answers under no other name.`)
  const forwarded = Object.keys(headers).find((name) => /^(forwarded|via|x-forwarded-.*)$/.test(name))
  if (forwarded)
    return refusal(403, `A proxy has sent this (${forwarded}). This port is for programs of this machine alone.`)
  const allowed: [header: string, values: string[]][] = [
    ['sec-fetch-site', ['none', 'same-origin', 'same-site']],
    ['sec-fetch-mode', ['navigate']],
    ['sec-fetch-dest', ['document']],
    // A browser that loads the address while it is typed would sign in before anybody has pressed Enter.
    ['sec-purpose', []],
  ]
  const wrong = allowed.find(
    ([header, values]) => headers[header] !== undefined && !values.includes(String(headers[header])),
  )
  if (wrong)
    return refusal(403, `Open this address by hand, or from a page on localhost (${wrong[0]}: ${headers[wrong[0]]}).`)
  if (method !== 'GET') return refusal(405, 'Only GET signs in.', { Allow: 'GET' })
  return null
}

/** The person that a path names; null for no such path. */
function nameIn(path: string): string | null {
  try {
    return decodeURIComponent(/^\/as\/([^/]+)$/.exec(path)?.[1] ?? '') || null
  } catch {
    return null
  }
}

/** Where to go on; null without one, undefined where it is not an address of this machine. */
function target(query: URLSearchParams): string | null | undefined {
  const [to, ...others] = query.getAll('to')
  if (to === undefined) return null
  if (others.length > 0 || !/^https?:\/\//i.test(to) || !URL.canParse(to)) return undefined
  const { protocol, hostname, username, password, href } = new URL(to)
  const isHere = /^https?:$/.test(protocol) && ['localhost', '127.0.0.1'].includes(hostname)
  return isHere && !username && !password ? href : undefined
}

/** An old browser does not say who began the navigation, so a person presses a button; programs call themselves otherwise. */
function isConfirmed({ headers }: IncomingMessage, name: string, query: URLSearchParams, { proofOf }: Here): boolean {
  const isOldBrowser = /mozilla/i.test(headers['user-agent'] ?? '') && headers['sec-fetch-site'] === undefined
  const given = Buffer.from(query.get('pressed') ?? '')
  const right = Buffer.from(proofOf(`${name}?${withoutProof(query)}`))
  return !isOldBrowser || (given.length === right.length && timingSafeEqual(given, right))
}

function withoutProof(query: URLSearchParams): string {
  const rest = new URLSearchParams(query)
  rest.delete('pressed')
  return rest.toString()
}

function button(name: string, query: URLSearchParams, { proofOf }: Here): Answer {
  const rest = withoutProof(query)
  const pressed = new URLSearchParams(rest)
  pressed.set('pressed', proofOf(`${name}?${rest}`))
  return page(
    `<p><a class="button" href="/as/${encodeURIComponent(name)}?${escaped(pressed.toString())}">Sign in as ${escaped(name)}</a></p>`,
  )
}

/** The header by which a browser sends them. */
const cookiesOfLatchkey = (cookies: Record<string, string | undefined>) =>
  Object.entries(cookies)
    .filter(([name]) => name.startsWith('latchkey-') && !name.startsWith(kitPrefix))
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

/** Of the sessions that apps keep with latchkey-kit: without them an app asks again who is there. */
const kitPrefix = 'latchkey-app-'

const expired = (cookies: Record<string, string | undefined>) =>
  Object.keys(cookies)
    .filter((name) => name.startsWith(kitPrefix))
    .flatMap((name) => [expiry(name, '/'), expiry(`${name}-id`, '/auth')])

const expiry = (name: string, path: string) => `${name}=; Max-Age=0; Path=${path}; HttpOnly; SameSite=Lax`

/** What Playwright's `storageState` takes. */
function storageState(lines: string[]): string {
  const now = Date.now() / 1000
  const cookies = lines.map((line) => {
    const { name, value = '', maxAge, httpOnly, secure, path = '/' } = parseSetCookie(line)
    const expires = maxAge === undefined ? -1 : now + maxAge
    return {
      name,
      value,
      domain: 'localhost',
      path,
      expires,
      httpOnly: httpOnly === true,
      secure: secure === true,
      sameSite: 'Lax',
    }
  })
  return `${JSON.stringify({ cookies, origins: [] })}\n`
}

const links = ({ people, own }: Here) => people.names.map((name) => `${own}/as/${encodeURIComponent(name)}`)

const list = (here: Here, sentence: string) =>
  `<p>${escaped(sentence)} <a href="${here.url}">Latchkey</a> is at ${here.url}.</p>
<ul>${here.people.names.map((name) => `<li><a href="/as/${encodeURIComponent(name)}">${escaped(name)}</a></li>`).join('')}</ul>
<p>Add <code>?to=http://localhost:3000/</code> to go on to your app.</p>`

const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (content: string): Answer => ({
  status: 200,
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>latchkey dev</title>
<style>body{font:1.1rem/1.6 system-ui;margin:2rem auto;max-width:40rem;padding:0 1rem;color-scheme:light dark}.button{font-weight:600}</style>
${content}\n`,
})

function send(
  response: ServerResponse,
  { status, type = 'text/plain; charset=utf-8', body = '', headers = {} }: Answer,
): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    // In a frame, another page could lay the button under a press of its own.
    'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    ...headers,
  })
  response.end(body)
}
