import { expect, test } from 'playwright/test'
import { cachedVerification } from '@/lib/auth/tokens/tokens'
import { now } from '../../support/tokens/tokens'

/** Verifies every token, and counts how often it is asked to. */
function countingVerifier(exp: number) {
  const asked: string[] = []
  const verify = (type: string, token: string) =>
    cachedVerification(type, token, async () => {
      asked.push(token)
      return { exp, token }
    })
  return { asked, verify }
}

const inAnHour = () => now() + 3600

test('a token is verified once, and its claims are those of that token', async () => {
  const { asked, verify } = countingVerifier(inAnHour())
  for (const token of ['one', 'two', 'one', 'two']) expect(await verify('twice', token)).toMatchObject({ token })
  expect(asked).toEqual(['one', 'two'])
})

test('a token that has expired since it was verified is verified again', async () => {
  const { asked, verify } = countingVerifier(now() - 1)
  await verify('expired', 'token')
  await verify('expired', 'token')
  expect(asked).toHaveLength(2)
})

test('a token of one type is not taken for one of another', async () => {
  const { asked, verify } = countingVerifier(inAnHour())
  await verify('type-a', 'token')
  await verify('type-b', 'token')
  expect(asked).toHaveLength(2)
})

test('an invalid token is verified every time', async () => {
  let asked = 0
  const verify = async () => {
    asked += 1
    return null
  }
  expect(await cachedVerification('invalid', 'token', verify)).toBeNull()
  expect(await cachedVerification('invalid', 'token', verify)).toBeNull()
  expect(asked).toBe(2)
})

test('16,384 tokens are remembered, and beyond that the oldest are forgotten', async () => {
  const { asked, verify } = countingVerifier(inAnHour())
  for (let token = 0; token < 16_384; token++) await verify('bounded', `${token}`)
  await verify('bounded', '0')
  expect(asked).toHaveLength(16_384)
  await verify('bounded', 'one more')
  await verify('bounded', '1')
  expect(asked).toHaveLength(16_385)
  await verify('bounded', '0')
  expect(asked).toHaveLength(16_386)
})
