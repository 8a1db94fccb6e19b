import { createHash, randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { Redis } from 'ioredis'
import { listenLocally } from '../network/listen-locally'

/** An HTTP server that speaks Upstash's REST protocol in front of a real Redis. */
export type Upstash = {
  readonly url: string
  readonly token: string
  stop(): Promise<void>
}

type Words = [command: string, ...rest: string[]]

export async function startUpstash(redisUrl: string): Promise<Upstash> {
  const redis = new Redis(redisUrl)
  redis.on('error', () => undefined)
  const token = randomBytes(12).toString('hex')
  const execute = executor(redis)
  const server = createServer(async (request, response) => {
    const reply = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.headers.authorization !== `Bearer ${token}`) return reply(401, { error: 'Unauthorized' })
    const encode = request.headers['upstash-encoding'] === 'base64' ? encoded : (value: unknown) => value
    const run = (words: Words) =>
      execute(words).then(
        (result) => ({ result: encode(result) }),
        (error: Error) => ({ error: error.message }),
      )
    const body = await read(request)
    if (request.url === '/pipeline') return reply(200, await Promise.all((body as Words[]).map(run)))
    const answer = await run(body as Words)
    return reply('error' in answer ? 400 : 200, answer)
  })
  const { url, close } = await listenLocally(server)
  return {
    url,
    token,
    stop() {
      redis.disconnect()
      return close()
    },
  }
}

/** Upstash accepts `#!lua flags=allow-key-locking` as part of a script; a plain Redis does not, so the line is removed. */
function executor(redis: Redis) {
  const scripts = new Map<string, string>()
  return async ([command, ...rest]: Words): Promise<unknown> => {
    const [first = '', ...more] = rest
    if (/^evalsha$/i.test(command)) {
      const script = scripts.get(first)
      if (script === undefined) throw new Error('NOSCRIPT No matching script. Please use EVAL.')
      return redis.call('EVAL', script, ...more)
    }
    if (!/^eval$/i.test(command)) return redis.call(command, ...rest)
    const script = first.replace(/^#!lua [^\n]*\n/, '')
    scripts.set(createHash('sha1').update(first).digest('hex'), script)
    return redis.call('EVAL', script, ...more)
  }
}

/** Encodes strings in base64, except OK, at any depth. */
function encoded(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(encoded)
  return typeof value === 'string' && value !== 'OK' ? Buffer.from(value).toString('base64') : value
}

async function read(request: IncomingMessage): Promise<unknown> {
  const chunks = await request.toArray()
  return JSON.parse(Buffer.concat(chunks).toString())
}
