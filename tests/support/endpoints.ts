import { bodyMode, rows } from '@/lib/api/endpoints'

/** The POST endpoints for our own pages and programs, each with a body of the right media type that asks for nothing; undefined where none is read. */
export const ENDPOINTS: readonly { path: string; body?: object }[] = rows
  .filter(({ method, origin = 'own' }) => method === 'POST' && ['own', 'listed'].includes(origin))
  // For a cron job: it answers GET, too, and nobody without its secret (api/webhook-delivery.spec.ts).
  .filter(({ caller }) => caller !== 'cron')
  .map((row) => (bodyMode(row) === 'ignored' ? { path: row.path } : { path: row.path, body: {} }))
