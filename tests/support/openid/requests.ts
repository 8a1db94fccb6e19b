import { expect } from 'playwright/test'
import { type Answer, Client } from '../client'
import { verifyWithPublicKeys } from '../tokens/tokens'
import { withoutUndefined } from '../without-undefined'

/** Another program than the browser sends no cookie. */
export function postForm(
  { server }: Pick<Client, 'server'>,
  path: string,
  form: Record<string, string | undefined> | URLSearchParams,
  headers: Record<string, string | undefined> = {},
): Promise<Answer> {
  const raw = new URLSearchParams(form instanceof URLSearchParams ? form : withoutUndefined(form)).toString()
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return new Client(server).post(path, undefined, { raw, headers: { ...type, ...headers } })
}

export const isConsent = ({ headers }: Answer) => String(headers.location).startsWith('/consent?')

export const requestOf = ({ headers }: Answer) =>
  new URLSearchParams(String(headers.location).split('?')[1]).get('request') ?? ''

/** Says yes or no on the consent page, and goes on as it does. */
export async function consent(client: Client, asked: Answer, allow = true): Promise<Answer> {
  const answer = await client.post('/api/oauth/consent', { request: requestOf(asked), allow })
  expect(answer.status, answer.text).toBe(200)
  return client.get(answer.body.location)
}

/** The path that the sign-in page leads to. */
export function nextOf(answer: Answer, page = '/signin'): string {
  const location = String(answer.headers.location)
  expect(location, answer.text).toMatch(new RegExp(`^${page}\\?`))
  return new URLSearchParams(location.split('?')[1]).get('next') ?? ''
}

export const verifyIdToken = (server: { url: string; origin: string }, token: string, audience: string) =>
  verifyWithPublicKeys(server, token, { audience, algorithms: ['RS256'], typ: 'JWT' })

export const userinfo = (client: Pick<Client, 'server'>, token: string): Promise<Answer> =>
  new Client(client.server).get('/api/oauth/userinfo', { headers: { Authorization: `Bearer ${token}` } })

/** Asserts an error response in OAuth's format. */
export function expectOAuthError(answer: Answer, status: number, error: string) {
  expect([answer.status, answer.body?.error], answer.text).toEqual([status, error])
  expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
}

export async function expectEnded(client: Pick<Client, 'server'>, token: string) {
  const answer = await userinfo(client, token)
  expectOAuthError(answer, 401, 'invalid_token')
  expect(answer.headers['www-authenticate']).toBe('Bearer error="invalid_token"')
}
