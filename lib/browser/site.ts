/** The site that a page belongs to. Passkeys work only at `origins`. */
export interface Site {
  appName: string
  origins: string[]
  originConfigured: boolean
  signUp: 'open' | 'invited' | 'closed'
  /** False: people sign in with passkeys and recovery codes only. */
  passwords: boolean
  /** Code points of a new password. */
  passwordMinLength: number
}
