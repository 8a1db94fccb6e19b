import '../support/unit-environment'
import { expect, test } from 'playwright/test'
import { afterResponse } from '@/lib/process/after-response'

const vercelContext = Symbol.for('@vercel/request-context')

test('what is done later begins after the answer, and Vercel is told to wait for it, failed or not', async () => {
  const waited: Promise<unknown>[] = []
  const steps: string[] = []
  Object.assign(globalThis, {
    [vercelContext]: { get: () => ({ waitUntil: (work: Promise<unknown>) => waited.push(work) }) },
  })
  afterResponse(async () => steps.push('work'))
  afterResponse(() => Promise.reject(new Error('planted')))
  Reflect.deleteProperty(globalThis, vercelContext)
  await Promise.resolve()
  steps.push('answer')
  expect(waited).toHaveLength(2)
  await Promise.all(waited)
  expect(steps).toEqual(['answer', 'work'])
})
