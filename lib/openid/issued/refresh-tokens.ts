import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { derivedKeys } from '@/lib/settings/secret/secrets-in-use'

const keys = () => derivedKeys('latchkey/refresh-token')

const mac = (key: Uint8Array, purpose: string, text: string) =>
  createHmac('sha256', key).update(`${purpose} ${text}`).digest().subarray(0, 16)

/** 22 characters that name the family, then 128 random bits and a MAC of both, in 43. */
const tokenOf = (familyId: string, random: Uint8Array, key: Uint8Array) =>
  familyId + Buffer.concat([random, mac(key, 'tag', familyId + toText(random))]).toString('base64url')

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

export const firstToken = (familyId: string) => tokenOf(familyId, randomBytes(16), keys()[0])

/** Without the MAC, anyone who knows a family's id, which access tokens contain, could end it with an invented token. */
export function familyOf(token: string): string | null {
  const [, familyId = '', rest = ''] = /^([\w-]{22})([\w-]{43})$/.exec(token) ?? []
  const bytes = Buffer.from(rest, 'base64url')
  const random = bytes.subarray(0, 16)
  const tag = bytes.subarray(16)
  if (tag.length !== 16) return null
  const isOurs = keys().some((key) => timingSafeEqual(mac(key, 'tag', familyId + toText(random)), tag))
  return isOurs ? familyId : null
}

/**
 * One for each secret, JWT_SECRET's first. Derived, so that an app that lost the response gets the same again without any
 * being stored.
 */
export function nextTokens(token: string): string[] {
  const familyId = token.slice(0, 22)
  return keys().map((key) => tokenOf(familyId, mac(key, 'next', token), key))
}
