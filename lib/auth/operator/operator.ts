import { randomUUID } from 'node:crypto'
import { ApiError } from '@/lib/api/errors'
import type { Area } from '@/lib/api/schemas'
import type { Actor } from '../events/operators-log'
import type { EventContext } from '../request'

declare const authorized: unique symbol

interface Acting extends Actor {
  /** Only the functions of this file make an operator, so an endpoint that admits nobody has none to act as. */
  readonly [authorized]: true
}

/** Who changes what belongs to others. */
export type Operator = Acting &
  (
    | { readonly kind: 'command' }
    | { readonly kind: 'administrator'; readonly hasSteppedUp: boolean }
    | {
        readonly kind: 'key'
        readonly areas: readonly Area[]
        readonly readOnly: boolean
        readonly madeBy: string | null
      }
  )

/** Makes the operator of a command beside the database. All log lines of one share a request id. */
export const commandOperator = (): Operator =>
  ({ kind: 'command', by: null, context: { address: null, userAgent: null, requestId: randomUUID() } }) as Operator

/** Makes the operator of a session whose right the caller has checked. */
export const administratorOperator = (id: string, hasSteppedUp: boolean, context: EventContext): Operator =>
  ({ kind: 'administrator', by: id, hasSteppedUp, context }) as Operator

/** Makes the operator of a program with a key that the caller has found. */
export const keyOperator = (
  name: string,
  rights: { areas: readonly Area[]; readOnly: boolean; madeBy: string | null },
  context: EventContext,
): Operator => ({ kind: 'key', by: `key:${name}`, ...rights, context }) as Operator

/**
 * The administrator on whose rights this operator's invitations, codes and keys depend; for a key, its maker. Null for a command
 * and its keys.
 */
export const makerOf = (operator: Operator): string | null =>
  operator.kind === 'key' ? operator.madeBy : operator.kind === 'administrator' ? operator.by : null

/** Requires an area of a key, where it depends on the request. @throws ApiError not_allowed */
export function requireArea(operator: Operator, area: Area): void {
  if (operator.kind === 'key' && !operator.areas.includes(area)) throw new ApiError('not_allowed')
}

/** @throws ApiError not_allowed for a key that only reads, reauthentication_required for a session without its step-up */
export function requireWrite(operator: Operator): void {
  if (operator.kind === 'key' && operator.readOnly) throw new ApiError('not_allowed')
  if (operator.kind === 'administrator' && !operator.hasSteppedUp) throw new ApiError('reauthentication_required')
}
