import '../support/unit-environment'
import { availableParallelism } from 'node:os'
import { hashSync } from 'bcryptjs'
import { expect, test } from 'playwright/test'
import { verifyPassword } from '@/lib/auth/password-hash'

test('hashes beyond the capacity of the queue are rejected at once while the others are computed', async () => {
  // The lowest cost that bcrypt has, because the number that may wait does not depend on it.
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
  const rejected = outcomes.filter((outcome) => outcome !== true)
  expect(rejected.length).toBeGreaterThanOrEqual(40)
  expect(rejected.length).toBeLessThan(40 + 2 * availableParallelism())
  // The rejections came first.
  expect(outcomes.slice(0, rejected.length)).toEqual(rejected)
  for (const error of rejected) expect(error).toMatchObject({ code: 'unavailable' })
})
