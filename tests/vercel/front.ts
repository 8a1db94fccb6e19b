import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { extname, join } from 'node:path'
import { listenLocally } from '../support/network/listen-locally'
import { withoutUndefined } from '../support/without-undefined'
import type { Functions } from './functions'
import { follow, phasesOf, type Visit } from './routes'

const contentTypes: Record<string, string> = { '.js': 'text/javascript', '.css': 'text/css' }

/** Headers that are not passed on: those of one connection, and those by which middleware instructs the router. */
const internal = /^(connection|keep-alive|transfer-encoding|date|x-middleware-.*)$/

/** Serves a build as Vercel's network does: route table, middleware, static files, functions. */
export async function startFront(output: string, functions: Functions) {
  const { routes, overrides } = JSON.parse(readFileSync(join(output, 'config.json'), 'utf8'))
  const phases = phasesOf(routes)
  const phase = (name: string) => phases.get(name) ?? []
  const notFound = phase('error').filter(({ status }) => status === 404)

  async function answer(incoming: IncomingMessage, response: ServerResponse) {
    const { pathname } = new URL(incoming.url ?? '/', 'https://localhost')
    const visit: Visit = { path: pathname, headers: forwarded(incoming), added: {} }
    await follow(phase('start'), visit, async (path) => {
      const result = await call(await functions.port(path), incoming, visit)
      if (result.headers['x-middleware-next']) takeOver(result, visit)
      else send(result, response, visit)
      return !response.headersSent
    })
    if (response.headersSent) return
    if (visit.added.location) response.writeHead(visit.status ?? 307, visit.added).end()
    else await serve(visit, incoming, response)
  }

  async function serve(visit: Visit, incoming: IncomingMessage, response: ServerResponse) {
    const missing = !staticFile(visit.path) && !functions.has(visit.path)
    if (missing) await follow(notFound, visit)
    await follow(phase('hit'), visit)
    const file = staticFile(visit.path)
    if (!file) {
      // Next renders what this header names.
      visit.headers['x-matched-path'] = visit.added['x-matched-path']
      return send(await call(await functions.port(visit.path), incoming, visit, incoming), response, visit)
    }
    const contentType = overrides[visit.path.slice(1)]?.contentType ?? contentTypes[extname(file)]
    const headers = { ...(contentType && { 'content-type': contentType }), ...visit.added }
    response.writeHead(visit.status ?? 200, headers).end(readFileSync(file))
  }

  function staticFile(path: string) {
    const file = join(output, 'static', path)
    return existsSync(file) && statSync(file).isFile() ? file : null
  }

  const server = createServer((incoming, response) => {
    answer(incoming, response).catch((error: unknown) => {
      console.error(error)
      response.destroy()
    })
  })
  return listenLocally(server)
}

/** Vercel overwrites whatever a client claims in these. */
function forwarded({ headers, socket }: IncomingMessage) {
  const address = socket.remoteAddress ?? ''
  return {
    ...headers,
    'x-forwarded-for': address,
    'x-real-ip': address,
    'x-forwarded-host': headers.host,
    'x-forwarded-proto': 'https',
  }
}

async function call(port: number, { method, url }: IncomingMessage, { headers }: Visit, body?: IncomingMessage) {
  const sent = withoutUndefined(headers)
  const outgoing = request({ host: '127.0.0.1', port, method, path: url, headers: sent, agent: false })
  if (body) body.pipe(outgoing)
  else outgoing.end()
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage]
  return answer
}

/** Middleware that lets a request pass replaces its headers and adds some to the response. */
function takeOver({ headers }: IncomingMessage, visit: Visit) {
  const names = headers['x-middleware-override-headers']?.toString().split(',')
  if (names) visit.headers = Object.fromEntries(names.map((name) => [name, headers[`x-middleware-request-${name}`]]))
  Object.assign(visit.added, passable(headers))
}

function send(answer: IncomingMessage, response: ServerResponse, { status, added }: Visit) {
  response.writeHead(status ?? answer.statusCode ?? 502, { ...added, ...passable(answer.headers) })
  answer.pipe(response)
}

const passable = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !internal.test(name)))
