import { randomUUID } from 'node:crypto'
import { singleton } from '@/lib/process/singleton'
import type { EventOrigin } from '../model/request-context'

/** One request id per process, so that a command's log lines can be matched. */
export const operatorOrigin = (): EventOrigin =>
  singleton('operator-origin', () => ({ address: null, userAgent: null, requestId: randomUUID() }))
