import { DatabaseSync } from '@photostructure/sqlite'

export const password = 'correct horse battery staple'

/**
 * Creates an account with a password.
 *
 * @param {number} port
 * @param {string} username
 * @returns {Promise<string>} its session token
 */
export async function signUp(port, username) {
  const response = await post(port, '/api/signup', { username, password })
  if (response.status !== 201) throw new Error(`sign-up answered ${response.status}`)
  const { token } = await response.json()
  return token
}

/** @param {number} port @param {string} path @param {object} body @param {string} [address] that a proxy would pass on */
export const post = (port, path, body, address = '127.0.0.1') =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify(body),
  })

/** Removes an account's password, as if it had been created with a passkey. @param {string} file @param {string} username */
export function removePassword(file, username) {
  const database = new DatabaseSync(file, { timeout: 5_000 })
  database.prepare('UPDATE "User" SET "passwordHash" = NULL WHERE "username" = ?').run(username)
  database.close()
}
