import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { afterResponse } from '@/lib/process/work'

const vercelContext = Symbol.for('@vercel/request-context')

test('work after a response starts after it, and Vercel waits for it even if it fails', async () => {
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
