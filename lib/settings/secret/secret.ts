import * as z from 'zod'
import { isPostgres } from '../database-url'
import { deployment } from '../deployment'
import { addFault } from '../fields/fault'
import { howToGenerate, minSecretBytes, secretFault } from './secret-strength'

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
