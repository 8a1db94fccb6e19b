import * as z from 'zod'
import { limits } from '../limits'
import { fieldError, text, time } from '../schemas/fields'
import type { Endpoints } from './endpoint'
import { image } from './well-known'

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
      icon: z.string().exactOptional(),
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

export const appEndpoints = {
  'POST /api/token': {
    caller: 'session',
    origin: 'listed',
    body: accessTokenInput,
    bodyOptional: true,
    results: { 200: accessToken },
    errors: [],
    summary: 'An access token for another app, valid for five minutes: the app of the calling page, or `audience`',
  },
  'POST /api/i/apps': {
    caller: 'session',
    results: { 200: allowedApps },
    errors: [],
    summary:
      'The apps that the account has let in, the scopes they were granted, and as `tiles` what the profile opens',
  },
  'POST /api/i/apps/revoke': {
    caller: 'session',
    body: revokeAppInput,
    results: { 204: null },
    errors: ['not_found'],
    summary: "Removes an app's access, and ends all tokens issued to it",
  },
  'GET /api/app-icon': {
    caller: 'anyone',
    parameters: [
      {
        in: 'query',
        name: 'digest',
        description: 'of the image, as `icon` of an app has it',
        schema: { type: 'string', pattern: String.raw`^[\w-]{43}$` },
      },
    ],
    results: { 200: image },
    errors: ['not_found'],
    summary: 'The picture of an app, which browsers keep for a year: another one has another digest',
  },
  'GET /api/access': {
    caller: 'anyone',
    origin: 'navigation',
    parameters: [
      {
        in: 'query',
        name: 'next',
        description: 'a URL of an app in CLIENT_ORIGINS',
        schema: { type: 'string', format: 'uri' },
      },
    ],
    results: { 303: null },
    errors: ['foreign_origin'],
    summary: 'Sets the access cookie and redirects to the app at `next`; without a session, to the sign-in page',
  },
  'GET /api/forward-auth': {
    caller: 'anyone',
    parameters: [
      {
        in: 'query',
        name: 'group',
        description: 'a group whose members are admitted; may be repeated',
        schema: { type: 'string', pattern: `^[a-z0-9._-]{1,${limits.groupName}}$` },
      },
      {
        in: 'header',
        name: 'X-Forwarded-Host',
        description: 'the host of the original request',
        schema: { type: 'string', pattern: String.raw`^[A-Za-z0-9._\[\]:-]+$` },
      },
      {
        in: 'header',
        name: 'X-Forwarded-Uri',
        description: 'path and query of the original request, to return to',
        schema: { type: 'string', pattern: '^/' },
      },
    ],
    results: { 200: null, 303: null },
    errors: ['not_signed_in', 'not_allowed'],
    summary:
      'For reverse proxies: who is signed in, in `Remote-User`, `Remote-User-Id`, `Remote-Name`, `Remote-Groups` and `Remote-Method`',
  },
} as const satisfies Endpoints
