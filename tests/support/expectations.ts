import { expect } from 'playwright/test'
import type { Answer, Client } from './client'

/** Asserts an error response: status, code and a message. */
export function expectError(answer: Answer, status: number, code: string) {
  expect(answer.status, answer.text).toBe(status)
  expect(answer.body, answer.text).toMatchObject({ code, error: expect.stringMatching(/\S/) })
}

/** Asserts that a response opens no session, by cookie or token. */
export function expectNoSession(answer: Answer) {
  expect(answer.cookies.filter(({ name, value }) => name.endsWith('session') && value !== '')).toEqual([])
  expect(answer.text).not.toContain('token')
}

/** Asserts the response to every failed sign-in and ceremony, which does not depend on the cause. */
export function expectAuthenticationFailed(answer: Answer) {
  expectError(answer, 401, 'authentication_failed')
  expect(answer.body.error).toBe('Authentication Failed')
  expectNoSession(answer)
}

/** Asserts that a client is signed in. @returns the body of `/api/i` */
export async function expectSignedIn(client: Client) {
  const answer = await client.post('/api/i')
  expect(answer.status, answer.text).toBe(200)
  return answer.body
}

export async function expectSignedOut(client: Client) {
  expectError(await client.post('/api/i'), 401, 'not_signed_in')
}

/** Asserts a 4xx response that leaks no internals; `also` is the status when a random input happens to be valid. */
export function expectWellFormedError(answer: Answer, also?: number) {
  if (answer.status === also) return
  expect(answer.status, answer.text).toBeGreaterThanOrEqual(400)
  expect(answer.status, answer.text).toBeLessThan(500)
  expect(answer.body).toMatchObject({ error: expect.any(String), code: expect.stringMatching(/^[a-z_]+$/) })
  expect(answer.text).not.toMatch(/\bat .*:\d+:\d+|node_modules|Error:|prisma|sqlite/i)
}
