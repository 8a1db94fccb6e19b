import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { readCookie } from '@/lib/http/request/cookies'

/** Counts how many values are decoded meanwhile. */
function decoded(work: () => void): number {
  const { decodeURIComponent: original } = globalThis
  let count = 0
  globalThis.decodeURIComponent = (text) => {
    count += 1
    return original(text)
  }
  try {
    work()
  } finally {
    globalThis.decodeURIComponent = original
  }
  return count
}

test('of thousands of cookies only the one that is read is decoded', () => {
  const others = Array.from({ length: 2000 }, (_, index) => `c${index}=%f; `)
  const Cookie = `${others.join('')}latchkey-zone=Europe%2FBerlin; latchkey-session=%f; hint=foreign`
  const headers = new Headers({ Cookie })
  const values: unknown[] = []
  const count = decoded(() =>
    values.push(readCookie(headers, 'zone'), readCookie(headers, 'session'), readCookie(headers, 'hint')),
  )
  expect(values).toEqual(['Europe/Berlin', '%f', null])
  expect(count).toBe(2)
})
