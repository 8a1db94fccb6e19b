import { resolve } from 'node:path'
import * as z from 'zod'
import { addFault, isHttpOrigin } from './fields'

/** The variables that say where the process runs, unchecked, for each schema that depends on them. Vercel sets VERCEL to 1. */
export const deployment = {
  BACKEND_URL: z.string().optional(),
  DATABASE_URL: z.string().optional(),
  VERCEL: z
    .string()
    .optional()
    .transform((text) => text === '1'),
}

export const deploymentSchema = z
  .object({
    ...deployment,
    // Without a path, because a front end forwards requests with their own.
    BACKEND_URL: z
      .string()
      .refine(isHttpOrigin, "must be the backend's own origin without a path, such as http://10.0.0.5:3000")
      .transform((text) => new URL(text).origin)
      .optional(),
  })
  .transform(({ BACKEND_URL, VERCEL }) => ({
    /** Set on the front end of a split deployment, which has no database: the origin that it forwards `/api` to. */
    backendUrl: BACKEND_URL,
    onVercel: VERCEL,
    /** False on Vercel, where the build migrates so that cold starts stay fast. */
    migratesAtStart: !VERCEL,
    /** False on Vercel, where nothing runs between requests. */
    processLives: !VERCEL,
  }))

/** True if passwords and sessions leave this machine unencrypted on their way to the backend. */
export function isSentInClear(backendUrl: string): boolean {
  const { protocol, hostname } = new URL(backendUrl)
  return protocol === 'http:' && !/^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
}

export const inClearWarning = (backendUrl: string) =>
  `BACKEND_URL=${backendUrl} is plain http, so passwords and sessions can be read and changed on the way; use https, or a network that encrypts`

/** True if a DATABASE_URL names the embedded database. */
export const isEmbedded = (databaseUrl: string) => databaseUrl.startsWith('file:')

/** True if a DATABASE_URL names PostgreSQL; one that names neither is invalid. */
export const isPostgres = (databaseUrl: string) => /^postgres(ql)?:/.test(databaseUrl)

/** The absolute path of the embedded database; a relative URL starts at the working directory. */
export const databaseFile = (databaseUrl: string) => resolve(databaseUrl.slice('file:'.length))

/** The PostgreSQL schema that a DATABASE_URL names with `?schema=`; without it, Prisma's default. */
export const schemaName = (databaseUrl: string) => new URL(databaseUrl).searchParams.get('schema') ?? 'public'

/** PostgreSQL would shorten a longer name, and reserves pg_; Prisma does not escape a quote. */
const isSchemaName = (name: string) => /^(?!pg_)[^"\0]+$/.test(name) && Buffer.byteLength(name) <= 63

const isDatabaseUrl = (text: string) => /^file:./.test(text) || (isPostgres(text) && URL.canParse(text))

/** The URL for migrations, whose session's locks a pooler such as Neon's may end. Takes the schema from DATABASE_URL. */
function unpooledUrl(databaseUrl: string, unpooled: string | undefined): string {
  if (unpooled === undefined || !isPostgres(databaseUrl) || !URL.canParse(databaseUrl)) return databaseUrl
  const url = new URL(unpooled)
  url.searchParams.set('schema', schemaName(databaseUrl))
  return url.href
}

export const databaseSchema = z
  .object({
    ...deployment,
    DATABASE_URL: z
      .string()
      .default('file:./data/latchkey.db')
      .refine(isDatabaseUrl, {
        error: 'must be file:PATH, such as file:./data/latchkey.db, or postgresql://USER:PASSWORD@HOST/DATABASE',
        abort: true,
      })
      .refine(
        (url) => isEmbedded(url) || isSchemaName(schemaName(url)),
        'must have a ?schema= of 1 to 63 bytes that does not begin with pg_ and has no double quote or NUL in it',
      ),
    DATABASE_URL_UNPOOLED: z
      .string()
      .refine((url) => isPostgres(url) && URL.canParse(url), 'must be postgresql://USER:PASSWORD@HOST/DATABASE')
      .optional(),
  })
  .transform((given, context) => {
    if (given.VERCEL && !given.BACKEND_URL && isEmbedded(given.DATABASE_URL)) {
      const message =
        'must be postgresql://USER:PASSWORD@HOST/DATABASE on Vercel, which keeps no files between requests'
      addFault(context, 'DATABASE_URL', message)
    }
    const { DATABASE_URL: databaseUrl, DATABASE_URL_UNPOOLED: unpooled } = given
    return { databaseUrl, migrationUrl: unpooledUrl(databaseUrl, unpooled) }
  })
