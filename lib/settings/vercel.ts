import { isEmbedded } from './database-url'

/** What is wrong on Vercel alone, which keeps no files between requests: neither an embedded database nor a secret made beside it would last. */
export function vercelFaults(databaseUrl: string, secret: string | undefined): string[] {
  const faults: string[] = []
  if (isEmbedded(databaseUrl))
    faults.push('DATABASE_URL must be postgresql://USER:PASSWORD@HOST/DATABASE on Vercel, where no file lasts')
  if (secret === undefined)
    faults.push('JWT_SECRET must be set on Vercel, at least 32 bytes; make one with: openssl rand -base64 48')
  return faults
}
