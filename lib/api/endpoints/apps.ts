import * as schemas from '../schemas'
import type { Endpoints } from './endpoint'

export const appEndpoints = {
  'POST /api/token': {
    caller: 'session',
    origin: 'listed',
    body: schemas.accessTokenInput,
    bodyOptional: true,
    results: { 200: schemas.accessToken },
    errors: [],
    summary: 'An access token of five minutes for another app: that of the calling page, or `audience`',
  },
  'POST /api/i/apps': {
    caller: 'session',
    results: { 200: schemas.allowedApps },
    errors: [],
    summary: 'The apps that the account has let in, and what they may learn',
  },
  'POST /api/i/apps/revoke': {
    caller: 'session',
    body: schemas.revokeAppInput,
    results: { 204: null },
    errors: ['not_found'],
    summary: "Takes away an app's access and ends all that it was given",
  },
  'GET /api/access': {
    caller: 'anyone',
    parameters: [{ in: 'query', name: 'next', description: 'an address of an app in CLIENT_ORIGINS' }],
    results: { 303: null },
    errors: [],
    summary: 'Sets the access cookie and leads to the app at `next`, or without a session to the sign-in page',
  },
  'GET /api/forward-auth': {
    caller: 'anyone',
    parameters: [
      {
        in: 'query',
        name: 'group',
        description: 'a group; admits its members only, or those of any if it is there several times',
      },
      { in: 'header', name: 'X-Forwarded-Host', description: 'the host of the original request' },
      { in: 'header', name: 'X-Forwarded-Uri', description: 'path and query of the original request, to lead back to' },
    ],
    results: { 200: null, 303: null },
    errors: ['not_signed_in', 'not_allowed'],
    summary:
      'For reverse proxies: who is signed in, in `Remote-User`, `Remote-User-Id`, `Remote-Groups` and `Remote-Method`',
  },
} as const satisfies Endpoints
