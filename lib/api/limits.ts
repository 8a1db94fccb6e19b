/** Limits of the wire contract that no setting changes. */
export const limits = {
  /** Bytes of a request body. */
  body: 64 * 1024,
  /** Characters. */
  username: { min: 3, max: 64 },
  /** At least so many code points, at most so many bytes of UTF-8. */
  password: { min: 8, max: 1024 },
  /** Characters of a recovery code as typed. */
  recoveryCode: { max: 256 },
  /** Codes of one set. */
  recoveryCodes: 10,
  /** Characters. */
  passkeyName: { max: 64 },
  /** Per account: each is read with every request of its sessions. */
  passkeys: 50,
  /** Events in one answer. */
  events: 100,
  /** base64url characters of the longest credential id (WebAuthn section 4). */
  credentialId: 1364,
  /** base64url characters of a token's `jti` (16 bytes). */
  tokenId: 22,
  /** base64url characters of the longest user handle (64 bytes). */
  userHandle: 86,
} as const
