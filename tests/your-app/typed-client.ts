import createClient from 'openapi-fetch'
import type { paths } from './latchkey.js'

const latchkey = createClient<paths>({ baseUrl: 'https://id.example.com' })

/** Signs in with a password. @returns the session's token, or null if name or password are wrong */
export async function signIn(username: string, password: string): Promise<string | null> {
  const { data, error } = await latchkey.POST('/api/signin', { body: { username, password } })
  if (error?.code === 'authentication_failed') return null
  if (error) throw new Error(error.error)
  return data.token ?? null
}

/** The names of an account's passkeys. */
export async function passkeyNames(bearer: string): Promise<string[]> {
  const { data, error } = await latchkey.POST('/api/i', { headers: { Authorization: `Bearer ${bearer}` } })
  if (error) throw new Error(error.error)
  return data.passkeys.map(({ name }) => name)
}
