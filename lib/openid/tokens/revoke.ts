import type { revocationInput } from '@/lib/api/schemas'
import type { Parsed } from '@/lib/auth/model/request-context'
import { consumeAttempt, refundOnError } from '@/lib/auth/throttling/attempts'
import { consumeToken } from '@/lib/auth/tokens/consumed-tokens'
import type { AppWithSecrets } from '../apps/app'
import { endFamily } from '../issued/families'
import { endWithoutFamily, findIssuedCode } from '../issued/issued-code'
import { readSigned } from './signed-tokens'

/**
 * RFC 7009. A refresh token ends its family, with all access tokens. Unknown texts are ignored, since they do not work. So are
 * other apps' tokens, although section 2.1 requires an error, which would confirm to whoever found one that it works.
 */
export async function revokeToken({ body, app }: Parsed<typeof revocationInput> & { app: AppWithSecrets }) {
  const { token } = body
  if (await endFamily(token, app)) return
  const claims = await readSigned('at+jwt', token)
  if (claims?.client_id !== app.id || claims.jti === undefined || claims.exp === undefined) return
  const { jti, exp, gid } = claims
  // Without refresh tokens it is the only one that was issued for the code.
  if (typeof gid !== 'string' || (await endWithoutFamily(gid)) || !(await findIssuedCode(gid))) return
  // Each writes a row, and each refresh gives another to revoke.
  const counted = await consumeAttempt('revocations', gid)
  await refundOnError(counted, () => consumeToken({ jti, exp }))
}
