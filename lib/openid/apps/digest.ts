import { hash } from 'node:crypto'

/** Of app secrets, codes and refresh tokens: at least 128 random bits need no slow digest. */
export const digestOf = (secret: string) => hash('sha256', secret, 'base64url')
