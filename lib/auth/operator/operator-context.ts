import { randomUUID } from 'node:crypto'
import { singleton } from '@/lib/process/singleton'
import { type ActionType, recordEvent } from '../audit/events'
import { logSecurityEvent, type SecurityEvent, type Subject } from '../audit/security-log'
import type { EventContext } from '../model/request-context'

/** One request id per process, so that a command's log lines can be matched. */
const operatorContext = (): EventContext =>
  singleton('operator-context', () => ({ address: null, userAgent: null, requestId: randomUUID() }))

/** Records an event of the account that an operator's command has caused. */
export const recordAsOperator = (id: string, type: ActionType) =>
  recordEvent(id, type, operatorContext(), { method: 'operator' })

/** Only in the security log, which no account has. */
export const logAsOperator = (event: SecurityEvent, subject: Subject) =>
  logSecurityEvent(event, operatorContext(), { ...subject, method: 'operator' })
