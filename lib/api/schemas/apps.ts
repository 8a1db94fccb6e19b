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
      /** Where it may use APIs, and what it may do there */
      apis: z.array(z.object({ name: z.string(), scopes: z.array(z.string()) })).exactOptional(),
      since: time,
      lastUsedAt: time.nullable(),
    }),
  ),
  /** What the person can open: apps that they may use and that have a front page, or that they have let in. */
  tiles: z.array(z.object({ name: z.string(), url: z.string(), icon: z.string().nullable() })),
})
export const revokeAppInput = z.object({
  id: text.max(limits.clientUrl, fieldError({ key: 'too_long', max: limits.clientUrl })),
})

export type AllowedApps = z.infer<typeof allowedApps>
export type AllowedApp = AllowedApps['apps'][number]
export type AppTile = AllowedApps['tiles'][number]
