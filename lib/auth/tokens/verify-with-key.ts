import { errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose'

/** The payload of a token under the key of its `kid`; null if there is no such key, or the token breaks a rule. */
export async function verifyWithKey(
  token: string,
  keyOf: (kid: string | undefined) => CryptoKey | null | Promise<CryptoKey | null>,
  rules: JWTVerifyOptions,
): Promise<JWTPayload | null> {
  // Unlike what jose's types say, the header of a token that nobody has verified has a `kid` of any type.
  const requireKey = async ({ kid }: { kid?: unknown }) => {
    const key = await keyOf(typeof kid === 'string' ? kid : undefined)
    if (!key) throw new errors.JWKSNoMatchingKey()
    return key
  }
  try {
    return (await jwtVerify(token, requireKey, rules)).payload
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
