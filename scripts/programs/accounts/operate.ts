import { type AdminPath, type AdminResult, carryOut } from '@/lib/admin/actions'
import { commandOperator } from '@/lib/auth/operator/operator'

/** Who acts in this process. */
export const operator = commandOperator()

/** What the endpoint of this path below /api/admin does and answers. @throws ApiError as it would */
export const operate = <P extends AdminPath>(path: P, body: unknown): Promise<AdminResult<P>> =>
  carryOut(operator, path, body)
