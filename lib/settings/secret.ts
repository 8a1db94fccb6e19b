import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { databaseFile } from './database-url'
import { addFault } from './fault'
import { makePrivate, makePrivateFolder } from './private-files'

/** HS256 needs a key of at least 32 bytes (RFC 7518 section 3.2). */
const minBytes = 32
const generate = 'generate one with: openssl rand -base64 48'

const isLongEnough = (text: string) => Buffer.byteLength(text) >= minBytes

export const secretSchema = z
  .object({
    JWT_SECRET: z.string().refine(isLongEnough, `must be at least ${minBytes} bytes; ${generate}`).optional(),
    BACKEND_URL: z.string().optional(),
    DATABASE_URL: z.string().optional(),
    VERCEL: z.string().optional(),
  })
  .transform(({ JWT_SECRET, BACKEND_URL, DATABASE_URL, VERCEL }, context) => {
    // A generated secret would differ between instances, and between a front end and its backend.
    const shared = BACKEND_URL ?? VERCEL ?? (/^postgres/.test(DATABASE_URL ?? '') ? DATABASE_URL : undefined)
    if (JWT_SECRET === undefined && shared !== undefined) {
      const right = `must be set to the same value, at least ${minBytes} bytes, on every instance and front end; ${generate}`
      addFault(context, 'JWT_SECRET', right)
    }
    return { configuredSecret: JWT_SECRET }
  })

/** The secret beside the embedded database, generated on first use. */
export function storedSecret(databaseUrl: string, context: z.core.$RefinementCtx): string {
  const path = join(dirname(databaseFile(databaseUrl)), 'jwt-secret')
  const secret = readOrCreate(path)
  if (!isLongEnough(secret)) {
    const right = `must be at least ${minBytes} bytes, and the one in ${path} is shorter; delete that file to generate another`
    addFault(context, 'JWT_SECRET', right)
  }
  return secret
}

/** The file is written in full under another name and then linked, so processes that start together read the same secret. */
function readOrCreate(path: string): string {
  makePrivateFolder(dirname(path))
  makePrivate(path)
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
