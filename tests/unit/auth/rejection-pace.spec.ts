import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { ApiError } from '@/lib/api/errors'
import type { RequestContext } from '@/lib/auth/request'
import { paceRejection } from '@/lib/auth/throttling/rejection-pace'

const rejection = new ApiError('too_many_attempts', { retryAfter: 60 })

/** Of so many rejections to an address, all in one moment: how many are answered at once, without a timer. */
async function answeredAtOnce(address: string, count: number, error: unknown = rejection, moment = Date.now()) {
  const { now } = Date
  Date.now = () => moment
  const client = new AbortController()
  let answered = 0
  const all = Array.from({ length: count }, async () => {
    await paceRejection(error, { address, signal: client.signal } as RequestContext)
    answered++
  })
  Date.now = now
  // Before any timer, also on a machine that was busy for longer than one takes.
  await new Promise<void>((done) => process.nextTick(done))
  const atOnce = answered
  client.abort()
  await Promise.all(all)
  return atOnce
}

test('fifty rejections to a network are answered at once, and further ones wait', async () => {
  expect(await answeredAtOnce('192.0.2.1', 60)).toBe(50)
  expect(await answeredAtOnce('192.0.2.2', 60, new ApiError('unavailable'))).toBe(50)
})

test('who is rejected on another network does not wait for it', async () => {
  await answeredAtOnce('2001:db8:1:1::/64', 60)
  expect(await answeredAtOnce('2001:db8:1:2::/64', 1)).toBe(0)
  expect(await answeredAtOnce('2001:db8:2:1::/64', 1)).toBe(1)
})

test('a network waits no longer for its rejections than eight seconds after the last, however many there were', async () => {
  const moment = Date.now()
  await answeredAtOnce('192.0.2.4', 1_000, rejection, moment)
  expect(await answeredAtOnce('192.0.2.4', 1, rejection, moment + 7_900)).toBe(0)
  expect(await answeredAtOnce('192.0.2.4', 60, rejection, moment + 11_000)).toBe(50)
})

test('clients that have disconnected, as in the middle of an upload, do not have their neighbours wait', async () => {
  const context = { address: '192.0.2.5', signal: AbortSignal.abort() } as RequestContext
  for (let time = 0; time < 1_000; time += 1) await paceRejection(new ApiError('unavailable'), context)
  expect(await answeredAtOnce('192.0.2.5', 60)).toBe(50)
})

test('other errors are never held back', async () => {
  expect(await answeredAtOnce('192.0.2.3', 60, new ApiError('authentication_failed'))).toBe(60)
  expect(await answeredAtOnce('192.0.2.3', 60, new Error('a fault'))).toBe(60)
})
