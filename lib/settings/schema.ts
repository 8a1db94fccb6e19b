import * as z from 'zod'
import { isVisible } from '@/lib/api/schemas/fields'
import { brandingSchema, checkHome } from './branding'
import { checkAccessCookie, clientAppsSchema } from './client-apps'
import { databaseSchema } from './database-url'
import { deliverySchema } from './delivery'
import { deploymentSchema } from './deployment'
import { addFault, duration, port, wholeNumber } from './fields'
import { mailSchema } from './mail'
import { redisSchema } from './redis'
import { relyingPartySchema } from './relying-party'
import { secretKeys, secretSchema, storedSecret } from './secret'
import { telemetrySchema } from './telemetry'

const generalSchema = z
  .object({
    JWT_EXPIRES_IN: duration('7d'),
    RATE_LIMIT_LOGIN_WINDOW: duration('15m'),
    RATE_LIMIT_LOGIN_MAX: wholeNumber(5, 1, 1_000_000),
    RATE_LIMIT_ADDRESS_MAX: wholeNumber(100, 1, 1_000_000),
    APP_NAME: z
      .string()
      .trim()
      .min(1, 'must not be blank')
      .max(64, 'must be at most 64 characters')
      .refine((name) => name === '' || isVisible(name), 'must not be blank')
      .default('Latchkey'),
    BCRYPT_COST: wholeNumber(12, 10, 15),
    APPLY: z.string().optional(),
    SIGN_UP: z.enum(['open', 'invited', 'closed'], { error: 'must be open, invited or closed' }).default('open'),
    PASSWORDS: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
    PASSWORD_MIN_LENGTH: wholeNumber(8, 8, 64),
    WEBAUTHN_USER_VERIFICATION: z
      .enum(['preferred', 'required'], { error: 'must be preferred or required' })
      .default('preferred'),
    TRUSTED_PROXIES: wholeNumber(0, 0, 16),
    // en-XA is the pseudo-language of our tests.
    LOCALE: z
      .enum(['en', 'de', 'fr', 'es', 'ja', 'ar', 'en-XA'], { error: 'must be en, de, fr, es, ja or ar' })
      .optional(),
    PORT: port,
    HOST: z.string().optional(),
  })
  .transform((given) => ({
    sessionSeconds: given.JWT_EXPIRES_IN / 1000,
    rateLimit: {
      passwordMax: given.RATE_LIMIT_LOGIN_MAX,
      addressMax: given.RATE_LIMIT_ADDRESS_MAX,
      windowMilliseconds: given.RATE_LIMIT_LOGIN_WINDOW,
    },
    appName: given.APP_NAME,
    bcryptCost: given.BCRYPT_COST,
    /** The file of apps and groups that each start applies. */
    appFile: given.APPLY,
    /** Who may create an account: everybody, people with an invitation, or nobody. */
    signUp: given.SIGN_UP,
    /** False: people sign in with passkeys and recovery codes only. */
    passwords: given.PASSWORDS === 'on',
    /** Code points of a new password. */
    passwordMinLength: given.PASSWORD_MIN_LENGTH,
    userVerification: given.WEBAUTHN_USER_VERIFICATION,
    trustedProxies: given.TRUSTED_PROXIES,
    /** Undefined for the person's choice, or their browser's. */
    locale: given.LOCALE,
    port: given.PORT,
    /** Undefined for all interfaces. */
    host: given.HOST,
  }))

/** Each schema reads the variables of one concern; an intersection reports the faults of all of them at once. */
const schema = generalSchema
  .and(relyingPartySchema)
  .and(databaseSchema)
  .and(redisSchema)
  .and(deploymentSchema)
  .and(clientAppsSchema)
  .and(brandingSchema)
  .and(telemetrySchema)
  .and(deliverySchema)
  .and(mailSchema)
  .and(secretSchema)
  .transform(({ configuredSecret, configuredPreviousSecret, ...settings }, context) => {
    const { backendUrl, origins, databaseUrl, accessCookie, homeUrl } = settings
    checkAccessCookie(accessCookie?.domain, origins[0], context)
    checkHome(homeUrl, origins, context)
    if (settings.mailRecovery !== null && !settings.originConfigured)
      addFault(
        context,
        'MAIL_RECOVERY',
        'needs APP_ORIGIN, where the links in its letters lead: https://id.example.com',
      )
    if (backendUrl && origins.includes(backendUrl)) {
      const message = "must be the backend's own origin; this is the front end's, which would forward to itself"
      addFault(context, 'BACKEND_URL', message)
    }
    return {
      ...settings,
      ...secretKeys(configuredSecret ?? storedSecret(databaseUrl, context), configuredPreviousSecret, context),
    }
  })

/** The variables that the schemas read. */
export const settingNames = (): string[] => namesIn(schema)

function namesIn(part: z.core.$ZodType): string[] {
  const {
    in: input,
    left,
    right,
    shape,
  } = part._zod.def as z.core.$ZodTypeDef &
    Partial<Record<'in' | 'left' | 'right', z.core.$ZodType>> & { shape?: object }
  return shape ? Object.keys(shape) : [input, left, right].flatMap((inner) => (inner ? namesIn(inner) : []))
}

export type Settings = z.output<typeof schema>

/**
 * Reads and checks every setting. An empty variable counts as absent, as in `.env` files.
 *
 * @returns the settings, or one line per fault: the variable, the fault, and what would be right
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): {
  settings?: Settings
  faults: string[]
} {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const { data, error } = schema.safeParse(given)
  if (error) return { faults: error.issues.map(({ path, message }) => `${path.join('.')} ${message}`) }
  return { settings: data, faults: [] }
}
