import { createServer } from 'node:http'
import { expect, test } from 'playwright/test'
import { prepareShutDown } from '@/lib/http/server/connections'
import { log } from '@/lib/process/log'
import { listenLocally } from '../../support/network/listen-locally'

const { error } = log()
test.afterEach(() => void Object.assign(log(), { error }))

/** Shuts a server down, with each of these codes at once, and returns the exits and the lines. */
async function shutDown(stop: () => Promise<void>, ...codes: number[]) {
  const [exits, lines]: [number[], unknown[]] = [[], []]
  Object.assign(log(), { error: (...line: unknown[]) => void lines.push(line) })
  const server = createServer()
  await listenLocally(server)
  await new Promise<void>((resolve) => {
    const exit = (code: number) => {
      exits.push(code)
      resolve()
    }
    const begin = prepareShutDown(server, (lastResponse) => lastResponse.then(stop), exit)
    for (const code of codes) begin(code)
  })
  return { exits, lines }
}

test('a shutdown that begins again stops once, and exits with the highest code', async () => {
  let stops = 0
  const stop = async () => {
    stops += 1
  }
  expect(await shutDown(stop, 0, 1, 0)).toEqual({ exits: [1], lines: [] })
  expect(await shutDown(stop, 0, 0)).toEqual({ exits: [0], lines: [] })
  expect(stops).toBe(2)
})

test('a shutdown that fails exits with 1 and logs why', async () => {
  const err = new Error('planted')
  const { exits, lines } = await shutDown(() => Promise.reject(err), 0)
  expect(exits).toEqual([1])
  expect(lines).toEqual([[{ err }, expect.any(String)]])
})
