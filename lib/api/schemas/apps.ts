import * as z from 'zod'
import { limits } from '../limits'
import { fieldError, text, time } from './fields'

/** `audience`: the origin of the app that the token is for. */
export const accessTokenInput = z.object({
  audience: z.string({ error: fieldError({ key: 'audience_unknown' }) }).optional(),
})
export const accessToken = z.object({ token: z.string(), expiresAt: time })

export const allowedApps = z.object({
  apps: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      homeUrl: z.string().nullable(),
      scopes: z.array(z.string()),
      since: time,
      lastUsedAt: time.nullable(),
    }),
  ),
})
export const revokeAppInput = z.object({
  id: text.max(limits.appId, fieldError({ key: 'too_long', max: limits.appId })),
})

export type AllowedApp = z.infer<typeof allowedApps>['apps'][number]
