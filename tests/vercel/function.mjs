// Serves one function as Vercel's Node runtime does: `node function.mjs FOLDER`. Sends its address to the parent process.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Readable } from 'node:stream'

const folder = process.argv[2] ?? ''
const { handler, useWebApi } = JSON.parse(readFileSync(join(folder, '.vc-config.json'), 'utf8'))

// Next and lib/process/work.ts look for waitUntil here.
Object.assign(globalThis, { [Symbol.for('@vercel/request-context')]: { get: () => ({ waitUntil: () => {} }) } })

const run = createRequire(join(folder, 'package.json'))(join(folder, handler))
const server = createServer(useWebApi ? answerWeb : run)
server.listen(0, '127.0.0.1', () => process.send?.(server.address()))

/** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
async function answerWeb(request, response) {
  const { method = 'GET', url, headers } = request
  const given = Object.entries(headers).map(([name, value]) => /** @type {[string, string]} */ ([name, String(value)]))
  const answer = await run(new Request(`https://${headers.host}${url}`, { method, headers: given }))
  response.writeHead(answer.status, [...answer.headers].flat())
  if (answer.body) Readable.fromWeb(answer.body).pipe(response)
  else response.end()
}
