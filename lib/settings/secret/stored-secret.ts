import { randomBytes } from 'node:crypto'
import { closeSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type * as z from 'zod'
import { makeDurable } from '@/lib/process/durable-file'
import { makePrivate, makePrivateFolder, openNewPrivate } from '@/lib/process/private-files'
import { databaseFile } from '../database-url'
import { addFault } from '../fields/fault'
import { howToGenerate, secretFault } from './secret-strength'

/** The secret beside the embedded database, generated on first use. */
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

/** Null if there is none. Another secret in place of one that cannot be read would sign everyone out. */
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
 * The file is written in full under another name and then linked, so processes that start together read the same secret. It
 * must outlast a power cut as accounts do: with another secret, every session ends and no stored key can be read.
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
