import * as z from 'zod'
import { isVisible } from '@/lib/api/schemas/fields'
import { locales } from '@/lib/messages/locales'
import { singleton } from '@/lib/process/singleton'
import { brandingSchema, checkHome } from './branding'
import { checkAccessCookie, clientAppsSchema } from './client-apps'
import { deliverySchema, mailSchema } from './delivery'
import { databaseSchema, deploymentSchema } from './deployment'
import { readEnvFiles } from './env-files.mjs'
import { addFault, duration, port, wholeNumber } from './fields'
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
      .enum([...locales, 'en-XA'], { error: `must be ${locales.slice(0, -1).join(', ')} or ${locales.at(-1)}` })
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

/** Invalid settings. Each line of `faults` names a variable, its fault and what would be right. */
export class SettingsError extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.name = 'SettingsError'
    this.faults = faults
  }
}

/**
 * The reasons why something cannot start, one a line: every fault of the settings or of a file, or the message of another error.
 */
export const faultsOf = (error: unknown): string[] =>
  (error as Partial<SettingsError>).faults ?? [error instanceof Error ? error.message : String(error)]

/** Lists the faults below a title, for standard error. */
export const faultReport = (title: string, error: unknown): string =>
  [`${title}:`, ...faultsOf(error).map((line) => `  ${line}`), ''].join('\n')

/** Reads a variable that an operator's file names, such as one with a secret. */
export const variable = (name: string): string | undefined => process.env[name]

/** The settings of this process, read from the environment once. @throws SettingsError */
export function settings(): Settings {
  return singleton('settings', () => {
    const { settings: valid, faults } = readSettings(process.env)
    if (!valid) throw new SettingsError(faults)
    return valid
  })
}

/** In our files, only our own settings begin so. */
const ourPrefixes = /^(LATCHKEY_|RATE_LIMIT_|WEBAUTHN_|PASSWORD|SIGN_UP|MAIL_|SMTP_)/

const shortest = 5

/**
 * Warns of each variable that looks like a setting of ours and is none: SIGNUP=closed would leave sign-up open. Leaves out
 * values, which may be secrets.
 */
export function unknownSettings(folder = process.cwd(), environment: object = process.env): string[] {
  const ours = settingNames()
  const inFiles = Object.keys(readEnvFiles(folder))
  const names = new Set([...Object.keys(environment), ...inFiles])
  return [...names].sort().flatMap((name) => {
    if (ours.includes(name)) return []
    const near = ours.find((known) => known.length >= shortest && isOneEditAway(name, known))
    if (near !== undefined) return [`${name} is no setting, and ignored; ${near} is one`]
    return inFiles.includes(name) && ourPrefixes.test(name) ? [`${name} is no setting, and ignored`] : []
  })
}

/** True if one letter is missing, too many or wrong, or two neighbours have changed places. */
function isOneEditAway(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [a, b] = [one.slice(start), other.slice(start)]
  const swapped = a.length === b.length && a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2)
  return a.slice(1) === b || a === b.slice(1) || a.slice(1) === b.slice(1) || swapped
}
