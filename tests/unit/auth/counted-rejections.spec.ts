import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { ApiError } from '@/lib/api/errors'
import { countRejection } from '@/lib/auth/events/counted-rejections'
import { attributeRejections, logRejection } from '@/lib/auth/events/rejections'
import type { RequestContext } from '@/lib/auth/request'
import { log } from '@/lib/process/log'

/** Counts with a clock that this test turns, and collects the lines. */
async function withClock(work: (clock: { lines: Record<string, unknown>[]; minute(): void }) => void | Promise<void>) {
  const { setTimeout: real } = globalThis
  const { warn } = log()
  const lines: Record<string, unknown>[] = []
  let due: (() => void)[] = []
  const keep = (callback: () => void, milliseconds: number) => {
    expect(milliseconds).toBe(60_000)
    due.push(callback)
    return { unref() {} }
  }
  Object.assign(globalThis, { setTimeout: keep })
  Object.assign(log(), { warn: (line: Record<string, unknown>) => lines.push(line) })
  const minute = () => {
    const now = due
    due = []
    for (const callback of now) callback()
  }
  try {
    await work({ lines, minute })
  } finally {
    Object.assign(globalThis, { setTimeout: real })
    Object.assign(log(), { warn })
  }
}

const origin = (address: string) => ({ address, userAgent: null, requestId: 'request' })

test('counted rejections are one line a minute while they go on, and a line at once after a minute without any', async () => {
  await withClock(({ lines, minute }) => {
    const reject = (times: number) => {
      for (let time = 0; time < times; time += 1) countRejection('not_signed_in', origin('192.0.2.1'))
    }
    const counts = () => lines.splice(0).map(({ count }) => count)
    reject(100)
    expect(counts()).toEqual([1])
    minute()
    expect(counts()).toEqual([99])
    reject(3)
    expect(counts()).toEqual([])
    minute()
    expect(counts()).toEqual([3])
    minute()
    expect(counts()).toEqual([])
    reject(2)
    expect(counts()).toEqual([1])
    minute()
    expect(counts()).toEqual([1])
    minute()
  })
})

test('of attempts that fail2ban looks for, a hundred a minute are lines of their own, and what goes beyond is counted', async () => {
  await withClock(({ lines, minute }) => {
    const reject = (times: number) => {
      for (let time = 0; time < times; time += 1) countRejection('forged_token', origin('192.0.2.1'))
      return lines.splice(0).map(({ count }) => count)
    }
    expect(reject(130)).toEqual(Array(100).fill(undefined))
    minute()
    expect(lines.splice(0)).toMatchObject([{ event: 'forged_token', count: 30, sources: 1, address: '192.0.2.1' }])
    expect(reject(100)).toEqual(Array(99).fill(undefined))
    minute()
    expect(lines.splice(0)).toMatchObject([{ count: 1 }])
    expect(reject(7)).toEqual(Array(7).fill(undefined))
    minute()
    expect(lines.splice(0)).toEqual([])
    expect(reject(100)).toEqual(Array(100).fill(undefined))
    minute()
  })
})

test('of requests beyond a limit a hundred a minute are lines with their account and method, and what goes beyond is counted', async () => {
  await withClock(async ({ lines, minute }) => {
    const context = {
      ...origin('192.0.2.1'),
      session: null,
      stepUp: null,
      device: null,
      signal: undefined,
    } as RequestContext
    attributeRejections(context, { account: 'somebody', method: 'pwd' })
    for (let time = 0; time < 1_000; time += 1) await logRejection(new ApiError('too_many_attempts'), context)
    const own = { event: 'throttled', account: 'somebody', method: 'pwd', address: '192.0.2.1' }
    expect(lines.splice(0)).toMatchObject(Array(100).fill(own))
    minute()
    expect(lines.splice(0)).toMatchObject([{ event: 'throttled', account: 'somebody', count: 900, most: 900 }])
    minute()
  })
})

test('a flood from many networks is counted whole and remembers a thousand of them', async () => {
  await withClock(({ lines, minute }) => {
    for (let network = 0; network <= 5_000; network += 1) countRejection('not_owned', origin(`network-${network}`))
    countRejection('not_owned', origin('network-7'))
    minute()
    expect(lines.slice(1)).toMatchObject([{ count: 5_001, sources: 1_000, most: 2, address: 'network-7' }])
    minute()
  })
})
