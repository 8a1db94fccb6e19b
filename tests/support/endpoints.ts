import { ZodObject } from 'zod'
import { bodyMode, rows } from '@/lib/api/endpoints'

/** The POST endpoints for our own pages and programs. */
const forPages = rows
  .filter(({ method, origin = 'own' }) => method === 'POST' && ['own', 'listed'].includes(origin))
  // For a cron job: it answers GET, too, and nobody without its secret (api/webhooks/webhook-delivery.spec.ts).
  // For operators: everybody else gets 404, whatever they send (api/operators/administrators.spec.ts).
  .filter(({ caller }) => caller !== 'cron' && caller !== 'administrator')
  // Off without MAIL_RECOVERY (api/mail/recovery.spec.ts).
  .filter(({ usesRecovery }) => !usesRecovery)

/** Each with a body of the right media type that asks for nothing; undefined where none is read. */
export const ENDPOINTS: readonly { path: string; needsSession: boolean; fields: string[]; body?: object }[] =
  forPages.map((row) => ({
    path: row.path,
    fields: row.body instanceof ZodObject ? Object.keys(row.body.shape) : [],
    needsSession: ['session', 'session-and-maybe-step-up', 'step-up'].includes(row.caller),
    ...(bodyMode(row) !== 'ignored' && { body: {} }),
  }))
