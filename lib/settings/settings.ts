import { singleton } from '@/lib/process/singleton'
import { readSettings } from './schema'

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
  redis: { url: string; token: string | null } | null
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

/** Thrown when settings are wrong; `faults` holds one line each: the variable, what is wrong, what would be right. */
export class SettingsError extends Error {
  readonly faults: string[]
  constructor(faults: string[]) {
    super(faults.join('\n'))
    this.name = 'SettingsError'
    this.faults = faults
  }
}

/** The settings of this process, read from the environment once. @throws SettingsError */
export function settings(): Settings {
  return singleton('settings', () => {
    const { settings, faults } = readSettings(process.env)
    if (!settings) throw new SettingsError(faults)
    return settings
  })
}
