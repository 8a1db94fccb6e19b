import { expect } from 'playwright/test'
import type { Answer, Client } from './client'

/** Asserts a refusal: status, code, and a sentence for people. */
export function expectError(answer: Answer, status: number, code: string) {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.body, answer.text).toMatchObject({ code, error: expect.stringMatching(/\S/) })
}

/** Asserts that an answer opened no session: neither cookie nor token. */
export function expectNoSession(answer: Answer) {
  expect(answer.cookies.filter(({ name, value }) => name.endsWith('session') && value !== '')).toEqual([])
  expect(answer.text).not.toContain('token')
}

/** Asserts what every failed sign-in and ceremony says, whatever the cause. */
export function expectAuthenticationFailed(answer: Answer) {
  expectError(answer, 401, 'authentication_failed')
  expect(answer.body.error).toBe('Authentication Failed')
  expectNoSession(answer)
}

/** Asserts that a client's session is good, and gives what `/api/i` says. */
export async function expectSignedIn(client: Client) {
  const answer = await client.post('/api/i')
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

/** Asserts that a client has no good session. */
export async function expectSignedOut(client: Client) {
  expectError(await client.post('/api/i'), 401, 'not_signed_in')
}

/** Asserts an orderly refusal, without anything of the inside. Some inputs may be well-formed by chance: `also` is their status. */
export function expectWellFormedError(answer: Answer, also?: number) {
  if (answer.status === also) return
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  expect(answer.status, answer.text).toBeLessThan(500)
  expect(answer.body).toMatchObject({ error: expect.any(String), code: expect.stringMatching(/^[a-z_]+$/) })
  expect(answer.text).not.toMatch(/\bat .*:\d+:\d+|node_modules|Error:|prisma|sqlite/i)
}
