import * as schemas from '../schemas'
import type { Endpoints } from './endpoint'

export const wellKnownEndpoints = {
  'GET /.well-known/jwks.json': {
    caller: 'anyone',
    origin: 'any',
    results: { 200: schemas.keySet },
    errors: [],
    summary: 'The keys that access, ID and logout tokens verify with (RFC 7517)',
  },
  'GET /.well-known/openid-configuration': {
    caller: 'anyone',
    origin: 'any',
    results: { 200: schemas.discovery },
    errors: [],
    summary: 'What apps need to know of this server (OpenID Connect Discovery)',
  },
  'GET /.well-known/oauth-authorization-server': {
    caller: 'anyone',
    origin: 'any',
    results: { 200: schemas.discovery },
    errors: [],
    summary: 'What apps need to know of this server (OAuth 2.0 Authorization Server Metadata, RFC 8414)',
  },
  'GET /.well-known/change-password': {
    caller: 'anyone',
    usesPassword: true,
    results: { 302: null },
    errors: [],
    summary: 'Redirects to the page that changes the password',
  },
  'GET /.well-known/passkey-endpoints': {
    caller: 'anyone',
    results: { 200: schemas.passkeyEndpoints },
    errors: [],
    summary: 'The page that creates and manages passkeys',
  },
  'GET /.well-known/assetlinks.json': {
    caller: 'anyone',
    results: { 200: schemas.assetLinks },
    errors: ['not_found'],
    summary: 'The Android apps that may use the passkeys (Digital Asset Links)',
  },
  'GET /.well-known/apple-app-site-association': {
    caller: 'anyone',
    results: { 200: schemas.associatedApps },
    errors: ['not_found'],
    summary: 'The Apple apps that may use the passkeys (associated domains)',
  },
  'GET /.well-known/webauthn': {
    caller: 'anyone',
    results: { 200: schemas.relatedOrigins },
    errors: [],
    summary: 'The further origins that may use the passkeys (WebAuthn section 5.11)',
  },
} as const satisfies Endpoints

export const serviceEndpoints = {
  'GET /api/deliver': {
    caller: 'cron',
    results: { 200: schemas.deliveries, 204: null },
    errors: [],
    summary:
      'For cron jobs, where no process stays running: sends what is due in the outbox for up to 20 seconds, and removes what has expired',
  },
  'POST /api/deliver': {
    caller: 'cron',
    results: { 200: schemas.deliveries, 204: null },
    errors: [],
    summary: 'The same as the GET, for cron jobs that send POST',
  },
  'GET /api/health': {
    caller: 'anyone',
    results: { 200: null, 503: null },
    errors: [],
    summary: 'Whether the database can be read and written',
  },
  'GET /api/openapi.json': {
    caller: 'anyone',
    results: { 200: schemas.openApi },
    errors: [],
    summary: 'This API as an OpenAPI 3.1 document',
  },
  'GET /brand/logo': {
    caller: 'anyone',
    results: { 200: schemas.image, 304: null },
    errors: ['not_found'],
    summary: 'The file of `APP_LOGO`',
  },
  'GET /brand/logo-dark': {
    caller: 'anyone',
    results: { 200: schemas.image, 304: null },
    errors: ['not_found'],
    summary: 'The file of `APP_LOGO_DARK`',
  },
} as const satisfies Endpoints
