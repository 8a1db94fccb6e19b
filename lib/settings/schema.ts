import { z } from 'zod'
import { isHttpOrigin } from './backend-url'
import { isDatabaseUrl } from './database-url'
import { parseDuration } from './duration'
import { type RedisSettings, readRedis } from './redis'
import { readRelyingParty } from './relying-party'
import { findSecret } from './secret'
import { vercelFaults } from './vercel'

/** What the operator chose, checked. Durations are in the unit that the name says. */
export interface Settings {
  /** The HMAC key of every token: the UTF-8 bytes of JWT_SECRET. */
  secret: Uint8Array<ArrayBuffer>
  sessionSeconds: number
  rateLimit: { passwordMax: number; addressMax: number; windowMilliseconds: number }
  /** Our public origins; the first is the main one. */
  origins: [string, ...string[]]
  /** False while APP_ORIGIN is left to its default: then passwords also work at other hosts. */
  originConfigured: boolean
  /** True where the origin is https: cookies are then Secure and carry the __Host- prefix. */
  secureCookies: boolean
  rpId: string
  appName: string
  databaseUrl: string
  /** Where attempts are counted: Redis by TCP (no token) or by Upstash's REST protocol; null: on the database. */
  redis: RedisSettings | null
  /** False on Vercel, where the build migrates: a cold start must not wait for that. */
  migratesAtStart: boolean
  bcryptCost: number
  userVerification: 'preferred' | 'required'
  trustedProxies: number
  /** Set on a front end deployed apart: the origin that `/api` is forwarded to. Such a deployment holds no database. */
  backendUrl: string | undefined
  port: number
  /** Undefined: all interfaces. */
  host: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

const defaultDatabase = 'file:./data/latchkey.db'

const duration = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text, context) => {
      const value = parseDuration(text)
      if (value === null) context.addIssue('must be a number and a unit (s m h d w), such as 15m or 7d')
      return value ?? Number.NaN
    })

const whole = (fallback: number, min: number, max: number) => {
  const right = `must be a whole number from ${min} to ${max}`
  return z
    .string()
    .default(String(fallback))
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max, right)
    .transform(Number)
}

const schema = z.object({
  JWT_EXPIRES_IN: duration('7d'),
  RATE_LIMIT_LOGIN_WINDOW: duration('15m'),
  RATE_LIMIT_LOGIN_MAX: whole(5, 1, 1_000_000),
  RATE_LIMIT_ADDRESS_MAX: whole(100, 1, 1_000_000),
  APP_NAME: z.string().trim().max(64, 'must be at most 64 characters').default('Latchkey'),
  BCRYPT_COST: whole(12, 10, 15),
  WEBAUTHN_USER_VERIFICATION: z
    .enum(['preferred', 'required'], { error: 'must be preferred or required' })
    .default('preferred'),
  TRUSTED_PROXIES: whole(0, 0, 16),
  PORT: whole(3000, 1, 65_535),
  BACKEND_URL: z
    .string()
    .refine(isHttpOrigin, "must be the backend's own address without a path, such as http://10.0.0.5:3000")
    .transform((text) => new URL(text).origin)
    .optional(),
  DATABASE_URL: z
    .string()
    .default(defaultDatabase)
    .refine(
      isDatabaseUrl,
      'must be file:PATH, such as file:./data/latchkey.db, or postgresql://USER:PASSWORD@HOST/DATABASE',
    ),
})

/**
 * Reads and checks every setting. An empty variable counts as absent, as in `.env` files.
 *
 * @returns the settings, or one line per fault: which variable, what is wrong, what would be right
 */
export function readSettings(environment: Environment): { settings?: Settings; faults: string[] } {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(given)
  const faults = parsed.error?.issues.map(({ path, message }) => `${path.join('.')} ${message}`) ?? []
  const relyingParty = readRelyingParty(given, schema.shape.PORT.safeParse(given.PORT).data ?? 3000, faults)
  const redis = readRedis(given, faults)
  if (given.VERCEL && !given.BACKEND_URL) {
    faults.push(...vercelFaults(given.DATABASE_URL ?? defaultDatabase, given.JWT_SECRET))
  }
  if (parsed.data?.BACKEND_URL && relyingParty.origins.includes(parsed.data.BACKEND_URL)) {
    faults.push("BACKEND_URL must be the backend's own address, not the front end's: it would forward to itself")
  }
  // A front end has no database to keep a secret beside, and one of its own making would be another than the backend's.
  const keptBeside = given.BACKEND_URL ?? (faults.length > 0 ? null : (given.DATABASE_URL ?? defaultDatabase))
  const secret = findSecret(given.JWT_SECRET, keptBeside, faults)
  if (!parsed.success || !secret || faults.length > 0) return { faults }
  const { data } = parsed
  return {
    faults,
    settings: {
      ...relyingParty,
      secret,
      sessionSeconds: data.JWT_EXPIRES_IN / 1000,
      rateLimit: {
        passwordMax: data.RATE_LIMIT_LOGIN_MAX,
        addressMax: data.RATE_LIMIT_ADDRESS_MAX,
        windowMilliseconds: data.RATE_LIMIT_LOGIN_WINDOW,
      },
      appName: data.APP_NAME,
      databaseUrl: data.DATABASE_URL,
      redis,
      migratesAtStart: !given.VERCEL,
      bcryptCost: data.BCRYPT_COST,
      userVerification: data.WEBAUTHN_USER_VERIFICATION,
      trustedProxies: data.TRUSTED_PROXIES,
      backendUrl: data.BACKEND_URL,
      port: data.PORT,
      host: given.HOST,
    },
  }
}
