import type { Method } from '@/lib/api/schemas'
import type { Claims } from './claims'

const registered: Record<Method, string> = { pwd: 'pwd', passkey: 'pop', recovery: 'otp' }

export const referenceOf = (method: Method) => registered[method]

/** RFC 8176. A passkey that verified its user is two factors: the device, and a PIN, finger or face. */
export const methodReferences = ({ amr, uv }: Pick<Claims<'session'>, 'amr' | 'uv'>): string[] => [
  ...amr.map(referenceOf),
  ...(uv ? ['mfa'] : []),
]
