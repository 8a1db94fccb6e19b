import * as z from 'zod'
import { isHttpOrigin } from './origins'

/** The variables that say where the process runs, unchecked, for each schema that depends on them. Vercel sets VERCEL to 1. */
export const deployment = {
  BACKEND_URL: z.string().optional(),
  DATABASE_URL: z.string().optional(),
  VERCEL: z
    .string()
    .optional()
    .transform((text) => text === '1'),
}

export const deploymentSchema = z
  .object({
    ...deployment,
    // Without a path, because a front end forwards requests with their own.
    BACKEND_URL: z
      .string()
      .refine(isHttpOrigin, "must be the backend's own origin without a path, such as http://10.0.0.5:3000")
      .transform((text) => new URL(text).origin)
      .optional(),
  })
  .transform(({ BACKEND_URL, VERCEL }) => ({
    /** Set on the front end of a split deployment, which has no database: the origin that it forwards `/api` to. */
    backendUrl: BACKEND_URL,
    onVercel: VERCEL,
    /** False on Vercel, where the build migrates so that cold starts stay fast. */
    migratesAtStart: !VERCEL,
    /** False on Vercel, where nothing runs between requests. */
    processLives: !VERCEL,
  }))

/** True if passwords and sessions leave this machine unencrypted on their way to the backend. */
export function isSentInClear(backendUrl: string): boolean {
  const { protocol, hostname } = new URL(backendUrl)
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

export const inClearWarning = (backendUrl: string) =>
  `BACKEND_URL=${backendUrl} is plain http, so passwords and sessions can be read and changed on the way; use https, or a network that encrypts`
