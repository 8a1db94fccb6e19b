import { expect, test } from 'playwright/test'
import { attachOutput, beginTest, recordOutput } from '../../support/server/server-output'

test('a failed test gets what each server wrote since it began, shared ones and stopped ones included', async () => {
  const written = { shared: 'of an earlier test\n', own: '', quiet: 'ready\n' }
  const attached = new Map<string, unknown>()
  const testInfo = { attach: async (name: string, { body }: { body?: unknown } = {}) => void attached.set(name, body) }

  recordOutput('shared', () => written.shared)
  recordOutput('quiet', () => written.quiet)
  beginTest()
  const end = recordOutput('own', () => written.own)
  written.shared += 'an error\n'
  written.own += 'another error\n'
  end()
  await attachOutput(testInfo)
  expect(Object.fromEntries(attached)).toEqual({
    'output of shared': 'an error\n',
    'output of own': 'another error\n',
  })

  attached.clear()
  beginTest()
  await attachOutput(testInfo)
  expect(attached.size).toBe(0)
})
