import { randomUUID } from 'node:crypto'
import { singleton } from '@/lib/process/singleton'
import type { EventOrigin } from '../model/request-context'

/** What events and log lines of a command have in place of a request; all of one process share the id. */
export const operatorOrigin = (): EventOrigin =>
  singleton('operator-origin', () => ({ address: null, userAgent: null, requestId: randomUUID() }))
