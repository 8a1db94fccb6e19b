import * as z from 'zod'
import { limits } from '../limits'
import { base64url, flag, time } from './fields'

/** How a session came about (RFC 8176; `passkey` and `recovery` are ours). */
export const method = z.enum(['pwd', 'passkey', 'recovery'])
export type Method = z.infer<typeof method>

export const revokeSessionInput = z.object({ id: base64url(limits.tokenId) })
export const signOutEverywhereInput = z.object({ exceptThis: flag })

export const liveSession = z.object({
  id: z.string(),
  method,
  browser: z.string().nullable(),
  at: time,
  expiresAt: time,
  /** The last day on which it was used, in UTC. */
  lastActiveAt: z.iso.date(),
  /** Whether it is the session of this request. */
  current: z.boolean(),
})
export const sessions = z.object({ sessions: z.array(liveSession) })

export type LiveSession = z.infer<typeof liveSession>
