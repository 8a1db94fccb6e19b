import type { revocationInput } from '@/lib/api/schemas'
import type { Parsed } from '@/lib/auth/model/request-context'
import { consumeToken } from '@/lib/database/consumed-tokens'
import type { AppWithSecrets } from '../apps/app'
import { endFamily } from '../grants/families'
import { readSigned } from './signed-tokens'

/**
 * RFC 7009: a refresh token ends its family and all access tokens of it, an access token itself alone. What is no token of
 * this app's is ignored, since it does not work for the app either.
 */
export async function revokeToken({ body, app }: Parsed<typeof revocationInput> & { app: AppWithSecrets }) {
  const { token } = body
  if (await endFamily(token, app)) return
  const claims = await readSigned('at+jwt', token)
  if (claims?.client_id !== app.id || claims.jti === undefined || claims.exp === undefined) return
  await consumeToken({ jti: claims.jti, exp: claims.exp })
}
