import { type AdminPath, type AdminResult, carryOut } from '@/lib/admin/actions'
import { isApiError } from '@/lib/api/errors'
import { commandOperator } from '@/lib/auth/operator/operator'
import { settings } from '@/lib/settings/settings'

/** Who acts in this process. */
export const operator = commandOperator()

/** What the endpoint of this path below /api/admin does and answers. @throws ApiError as it would */
export const operate = <P extends AdminPath>(path: P, body: unknown): Promise<AdminResult<P>> =>
  carryOut(operator, path, body)

export const issuerHere = () => settings().origins[0]

/** For what was found, or taken for granted, and is not there. */
export const unlessThere = (error: () => Error) => (cause: unknown) => {
  throw isApiError(cause) && ['not_found', 'invalid_request'].includes(cause.code) ? error() : cause
}
