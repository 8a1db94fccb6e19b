import { randomBytes } from 'node:crypto'
import { closeSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { makeDurable, makePrivate, makePrivateFolder, openNewPrivate } from '@/lib/process/files'
import { databaseFile, deployment, isPostgres } from './deployment'
import { addFault } from './fields'

/** HS256 needs a key of at least 32 bytes (RFC 7518 section 3.2). */
const minSecretBytes = 32

/** Ends each fault of a secret that an operator must set. */
const howToGenerate = 'generate one with: openssl rand -base64 48'

/** Says the fault of a secret, after the name of its variable; null if there is none. */
function secretFault(text: string): string | null {
  if (Buffer.byteLength(text) < minSecretBytes) return `must be at least ${minSecretBytes} bytes`
  return looksRandom(text) ? null : 'must look random'
}

/** The most frequent pairs of letters in English */
const englishPairs = new Set(
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur'.split(
    ' ',
  ),
)
const word = /(?<![A-Za-z\d])(?:[a-z]{3,}|[A-Z]{3,}|[A-Z][a-z]{2,})(?![A-Za-z\d])/g

/**
 * Rejects repetitions, sequences and English, because anyone with a session of their own can search for its key offline, and
 * would find a secret that a person made up. Of generated secrets (base64, hex, digits, letters), rejects at most one in ten
 * thousand.
 */
function looksRandom(text: string): boolean {
  const slices = (length: number) => Array.from(text, (_, at) => text.slice(at, at + length)).slice(0, 1 - length)
  const pairs = slices(2)
  const shareOfPairs = (is: (pair: string) => boolean) => pairs.filter(is).length / pairs.length
  const repeats = new Set(slices(3)).size < 24
  const counts = shareOfPairs((pair) => Math.abs(pair.charCodeAt(0) - pair.charCodeAt(1)) <= 1) > 0.75
  const words = text.match(word) ?? []
  const reads =
    shareOfPairs((pair) => englishPairs.has(pair.toLowerCase())) > 1 / 3 ||
    (words.length > 3 && words.join('').length > text.length / 2)
  return !(repeats || counts || reads)
}

/** Reads the secret beside the embedded database, and generates it on first use. */
export function storedSecret(databaseUrl: string, context: z.core.$RefinementCtx): string {
  const path = join(dirname(databaseFile(databaseUrl)), 'jwt-secret')
  try {
    const secret = readSecret(path) ?? createSecret(path)
    const fault = secretFault(secret)
    if (fault) {
      const message = `${fault}, unlike the one in ${path}; delete that file to generate another`
      addFault(context, 'JWT_SECRET', message)
    }
    return secret
  } catch (error) {
    const message = `must be set, unless ${path} can be read or created, which fails with ${codeOf(error)}; ${howToGenerate}`
    addFault(context, 'JWT_SECRET', message)
    return ''
  }
}

/** Null if there is no file. Throws on one that it cannot read: another secret in its place would sign everyone out. */
function readSecret(path: string): string | null {
  makePrivate(path)
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
    return null
  }
}

/**
 * Writes the whole file under another name and then links it, so that processes that start together read the same secret. Makes
 * it last through a power cut, as accounts do: another secret would end every session and open no stored key.
 */
function createSecret(path: string): string {
  makePrivateFolder(dirname(path))
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  try {
    const descriptor = openNewPrivate(draft)
    writeFileSync(descriptor, randomBytes(48).toString('base64'))
    closeSync(descriptor)
    makeDurable(draft)
    linkSync(draft, path)
    makeDurable(path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(path, 'utf8').trim()
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code

function checkSecret(context: z.core.$RefinementCtx, variable: string, text: string | undefined) {
  const fault = text === undefined ? null : secretFault(text)
  if (fault) addFault(context, variable, `${fault}; ${howToGenerate}`)
}

export const secretSchema = z
  .object({
    JWT_SECRET: z.string().optional(),
    JWT_SECRET_PREVIOUS: z.string().optional(),
    ...deployment,
  })
  .transform(({ JWT_SECRET, JWT_SECRET_PREVIOUS, BACKEND_URL, DATABASE_URL, VERCEL }, context) => {
    // A generated secret would differ between instances, and between a front end and its backend.
    const isShared = BACKEND_URL !== undefined || VERCEL || isPostgres(DATABASE_URL ?? '')
    if (JWT_SECRET === undefined && isShared) {
      const message = `must be set to the same value, at least ${minSecretBytes} bytes, on every instance and front end; ${howToGenerate}`
      addFault(context, 'JWT_SECRET', message)
    }
    checkSecret(context, 'JWT_SECRET', JWT_SECRET)
    checkSecret(context, 'JWT_SECRET_PREVIOUS', JWT_SECRET_PREVIOUS)
    return { configuredSecret: JWT_SECRET, configuredPreviousSecret: JWT_SECRET_PREVIOUS }
  })

/** The UTF-8 bytes of both secrets. */
export function secretKeys(secret: string, previous: string | undefined, context: z.core.$RefinementCtx) {
  if (secret === previous) {
    const message = 'must be the secret before or after JWT_SECRET, not the same; remove it if no change is under way'
    addFault(context, 'JWT_SECRET_PREVIOUS', message)
  }
  const bytes = (text: string) => new TextEncoder().encode(text)
  return { secret: bytes(secret), previousSecret: previous === undefined ? null : bytes(previous) }
}
