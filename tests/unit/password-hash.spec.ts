import '../support/unit-environment'
import { availableParallelism } from 'node:os'
import { hashSync } from 'bcryptjs'
import { expect, test } from 'playwright/test'
import { verifyPassword } from '@/lib/auth/password-hash'

test('hashes beyond what the queue holds are refused at once, and the others are computed', async () => {
  // The lowest cost of all: how long each hash takes makes no difference to how many may wait.
  const hash = hashSync('right', 4)
  const capacity = (64 + 1) * availableParallelism()
  const outcomes: unknown[] = []
  const verifications = Array.from({ length: capacity + 40 }, () =>
    verifyPassword('right', hash).then(
      (good) => outcomes.push(good),
      (error) => outcomes.push(error),
    ),
  )
  await Promise.all(verifications)
  const refused = outcomes.filter((outcome) => outcome !== true)
  expect(refused.length).toBeGreaterThanOrEqual(40)
  expect(refused.length).toBeLessThan(40 + 2 * availableParallelism())
  // They were the first to be answered.
  expect(outcomes.slice(0, refused.length)).toEqual(refused)
  for (const error of refused) expect(error).toMatchObject({ code: 'unavailable' })
})
