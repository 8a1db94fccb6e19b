import type { LookupAddress } from 'node:dns'
import { expect, test } from 'playwright/test'
import { Resolver } from '@/lib/delivery/addresses'
import { withResolvers } from '../../support/with-resolvers'

const found: LookupAddress[] = [{ address: '192.0.2.1', family: 4 }]
const hour = 60 * 60_000

/** A resolver whose look-ups end when the test ends them, and its clock. */
function resolverByHand() {
  const clock = { now: 0 }
  const running = new Map<string, { end: () => void; fail: (error: Error) => void }>()
  const begun: string[] = []
  const resolver = new Resolver(
    (name) => {
      const { promise, resolve, reject } = withResolvers<LookupAddress[]>()
      begun.push(name)
      running.set(name, { end: () => resolve(found), fail: reject })
      return promise.finally(() => running.delete(name))
    },
    () => clock.now,
  )
  const untilRunning = (...names: string[]) => expect.poll(() => [...running.keys()]).toEqual(names)
  return { clock, running, begun, resolver, untilRunning }
}

/** A name that its name server has answered for late. */
async function slow({ clock, running, resolver, untilRunning }: ReturnType<typeof resolverByHand>, name: string) {
  const first = resolver.addresses(name)
  await untilRunning(name)
  clock.now += 2_001
  running.get(name)?.end()
  await first
  return name
}

test('attempts that wait for one name share its look-up, and the next attempt looks anew', async () => {
  const { running, begun, resolver, untilRunning } = resolverByHand()
  const waiting = [resolver.addresses('app.test'), resolver.addresses('app.test')]
  await untilRunning('app.test')
  running.get('app.test')?.end()
  expect(await Promise.all(waiting)).toEqual([found, found])
  void resolver.addresses('app.test')
  await untilRunning('app.test')
  expect(begun).toEqual(['app.test', 'app.test'])
})

test('names that were slow are looked up one at a time, and hold up no other name', async () => {
  const byHand = resolverByHand()
  const { running, resolver, untilRunning } = byHand
  const names = [await slow(byHand, 'evil.test'), await slow(byHand, 'dead.test')]
  const hanging = names.map((name) => resolver.addresses(name))
  const quick = resolver.addresses('app.test')
  await untilRunning('evil.test', 'app.test')
  running.get('app.test')?.end()
  expect(await quick).toEqual(found)
  await untilRunning('evil.test')
  running.get('evil.test')?.end()
  await untilRunning('dead.test')
  running.get('dead.test')?.end()
  expect(await Promise.all(hanging)).toEqual([found, found])
})

test('a name that was slow leaves the slow ones after an hour, once it is answered for quickly', async () => {
  const byHand = resolverByHand()
  const { clock, running, resolver } = byHand
  const quicklyFound = async (name: string) => {
    const addresses = resolver.addresses(name)
    await expect.poll(() => running.has(name)).toBe(true)
    running.get(name)?.end()
    return addresses
  }
  /** Whether another name is found while this one hangs. */
  const leavesOthersAlone = async (name: string) => {
    const hanging = resolver.addresses(name)
    const other = resolver.addresses('app.test')
    await expect.poll(() => running.has(name)).toBe(true)
    const isOtherRunning = running.has('app.test')
    running.get(name)?.end()
    await hanging
    await expect.poll(() => running.has('app.test')).toBe(true)
    running.get('app.test')?.end()
    await other
    return isOtherRunning
  }
  await slow(byHand, 'evil.test')
  await quicklyFound('evil.test')
  expect(await leavesOthersAlone('evil.test')).toBe(true)
  clock.now += hour
  await slow(byHand, 'evil.test')
  expect(await leavesOthersAlone('evil.test')).toBe(true)
  clock.now += hour
  expect(await leavesOthersAlone('evil.test')).toBe(true)
  expect(await leavesOthersAlone('evil.test')).toBe(false)
})

test('a look-up that fails rejects for everybody who waits for it, and the next name is looked up', async () => {
  const { running, resolver, untilRunning } = resolverByHand()
  const [gone, app] = [resolver.addresses('gone.test'), resolver.addresses('app.test')]
  await untilRunning('gone.test')
  running.get('gone.test')?.fail(new Error('ENOTFOUND'))
  await expect(gone).rejects.toThrow('ENOTFOUND')
  await untilRunning('app.test')
  running.get('app.test')?.end()
  expect(await app).toEqual(found)
})
