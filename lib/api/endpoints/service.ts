import * as schemas from '../schemas'
import type { Endpoints } from './endpoint'

export const serviceEndpoints = {
  'GET /api/deliver': {
    caller: 'cron',
    results: { 200: schemas.deliveries },
    errors: [],
    summary:
      'For cron jobs, where no process stays running: sends what is due in the outbox for up to 20 seconds, and removes what has expired',
  },
  'POST /api/deliver': {
    caller: 'cron',
    results: { 200: schemas.deliveries },
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
