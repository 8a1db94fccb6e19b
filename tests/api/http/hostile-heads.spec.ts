import { readFileSync } from 'node:fs'
import { expect, test } from '../../support/fixtures'
import { exchange, rawRequest } from '../../support/network/raw-http'
import type { Server } from '../../support/server/server'

test.skip(process.platform !== 'linux', 'Only Linux tells the processor time of another process.')

/** What a server's process has computed so far, in milliseconds. */
function processorTime(server: Server): number {
  const [user = 0, system = 0] =
    readFileSync(`/proc/${server.pid()}/stat`, 'utf8').split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? []
  return (user + system) * 10
}

const headers = [
  'User-Agent', 'Accept', 'Accept-Language', 'Accept-Encoding', 'Authorization', 'Cache-Control', 'Content-Type', 'Cookie',
  'Forwarded', 'If-None-Match', 'If-Modified-Since', 'Next-Router-State-Tree', 'Next-Url', 'Origin', 'Range', 'Referer', 'RSC',
  'Sec-CH-UA', 'Traceparent', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto',
] // biome-ignore format: one a line would hide the test.

/** Those that endpoints read, and those of Next's own. */
const ofEndpoints = ['Accept-Language', 'Authorization', 'Cookie', 'Origin', 'User-Agent', 'X-Forwarded-For']
const ofNext = ['Accept-Language', 'Next-Router-State-Tree', 'Next-Url', 'RSC', 'X-Forwarded-Host']

/** What is repeated until a head is full: runs of word characters, and of what the formats of headers and URLs use. */
const patterns = ['a', 'a-', 'a;q=0.1,', '../', '%61', '(', '"a",', 'a=b; ', '&a=']

/** Of what a server sends and reads: the longest head that Node accepts has 16 KiB. */
const longest = 15_000

const places = ['header', 'path', 'query', 'cookie'] as const

function hostile(place: (typeof places)[number], path: string, header: string, pattern: string): string {
  const text = pattern.repeat(longest).slice(0, longest).trim()
  const target = encodeURI(text).slice(0, longest)
  if (place === 'path') return rawRequest('GET', `${path}/${target}`)
  if (place === 'query') return rawRequest('GET', `${path}?next=${target}`)
  return rawRequest('GET', path, place === 'cookie' ? { Cookie: `session=${target}` } : { [header]: text })
}

for (const [side, mode] of [
  ['server', 'node'],
  ['server of Next alone', 'next'],
] as const)
  test(`a ${side} computes for no head much longer than for a short one, whatever repeats in it`, {
    tag: '@pages',
  }, async ({ start }) => {
    const env = { RATE_LIMIT_ADDRESS_MAX: '100000' }
    const server = await start({ mode, env })
    /** Of the server for some requests, one after the other: a clock would also count what else the machine does. */
    const cost = async (...requests: string[]) => {
      const before = processorTime(server)
      for (const request of requests) await exchange(server.port, request)
      return (processorTime(server) - before) / requests.length
    }
    const asked: [path: string, headers: string[]][] =
      mode === 'next'
        ? [['/nowhere', ofNext]]
        : [
            ['/signin', headers],
            ['/api/oauth/authorize', ofEndpoints],
          ]
    for (const [path, named] of asked) {
      const plain = Array(20).fill(rawRequest('GET', path))
      await cost(...plain)
      // Generous, since a busy machine computes slower. What grows with the square of such a head takes a second.
      const most = 3 * (await cost(...plain)) + 300
      // Twice, if need be: once in a while the process has work of its own.
      const isCheap = async (request: string) => (await cost(request)) < most || (await cost(request)) < most
      for (const pattern of patterns) {
        for (const header of named)
          expect
            .soft(await isCheap(hostile('header', path, header, pattern)), `${path} ${header}: ${pattern}`)
            .toBe(true)
        for (const place of places.slice(1))
          expect.soft(await isCheap(hostile(place, path, '', pattern)), `${path} ${place}: ${pattern}`).toBe(true)
      }
    }
  })
