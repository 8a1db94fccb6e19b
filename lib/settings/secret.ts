import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { databaseFile, isEmbedded } from './database-url'

const enough = 32

/**
 * The key of every token (RFC 7518 section 3.2: HS256 wants at least 32 bytes): JWT_SECRET, or the one made for the embedded database.
 *
 * @param given JWT_SECRET, if set
 * @param databaseUrl null while other settings are wrong: then no secret is made
 * @param faults gets a line when there is no good secret
 */
export function findSecret(given: string | undefined, databaseUrl: string | null, faults: string[]) {
  if (given === undefined && databaseUrl === null) return undefined
  const file = databaseUrl !== null && isEmbedded(databaseUrl) ? databaseFile(databaseUrl) : null
  const secret = given ?? (file && readOrMakeSecret(join(dirname(file), 'jwt-secret')))
  const bytes = new TextEncoder().encode(secret ?? '')
  if (bytes.length >= enough) return bytes
  faults.push(
    `JWT_SECRET must be at least ${enough} bytes, the same on every instance and front end; make one with: openssl rand -base64 48`,
  )
  return undefined
}

/** Written whole under another name, then linked: of two processes that start at once, one makes the secret and both read it. */
function readOrMakeSecret(path: string): string {
  mkdirSync(dirname(path), { recursive: true })
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    writeFileSync(draft, randomBytes(48).toString('base64'), { mode: 0o600, flag: 'wx' })
  }
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return readFileSync(path, 'utf8').trim()
}
