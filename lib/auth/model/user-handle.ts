import { randomBytes } from 'node:crypto'

/** 128 random bits in base64url: as the WebAuthn user handle it must reveal nothing (WebAuthn section 14.6.1). */
export const newUserId = () => randomBytes(16).toString('base64url')

/** Canonical base64url of at most 64 bytes (WebAuthn section 5.4.3). */
export function isUserHandle(text: string, minBytes = 1): boolean {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.length >= minBytes && bytes.length <= 64 && bytes.toString('base64url') === text
}

/** An imported account whose id is no valid handle has one of its own. */
export const userHandleOf = ({ id, userHandle }: { id: string; userHandle: string | null }) => userHandle ?? id
