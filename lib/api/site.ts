/** The site that a page belongs to, as `siteInfo()` hands it from the server to components. Passkeys work only at `origins`. */
export interface Site {
  appName: string
  origins: string[]
  /** What a page at another origin says, since passkeys don't work there. */
  elsewhere: string
  signUp: 'open' | 'invited' | 'closed'
  /** False: people sign in with passkeys and recovery codes only. */
  passwords: boolean
  /** Whether there are letters, by which somebody can prove an e-mail address. */
  mail: boolean
  /** Seconds that a recovery by mail waits for its owner to stop it; null: there is none */
  recovery: number | null
  /** Code points of a new password. */
  passwordMinLength: number
  /** URLs of the adopter's logo; null: our own mark and the name. */
  logo: { light: string; dark: string | null } | null
  /** Where a signed-in person goes on to. */
  homeUrl: string | null
  termsUrl: string | null
  privacyUrl: string | null
  supportUrl: string | null
}

/** Somebody who asked this browser to remember their username. */
export interface RememberedPerson {
  username: string
  /** The cuts of the account's key, which do not tell its id */
  cuts: string
  /** What they signed in with last */
  method: 'passkey' | 'password' | null
}

/**
 * What the server knows of sign-ins in this browser, as `readRememberedSignIn()` hands it to components. Shown before a
 * sign-in, also to the next person at a shared computer: a name needs its owner's consent.
 */
export interface RememberedSignIn {
  /** Of the last sign-in, whoever that was */
  method: RememberedPerson['method']
  /** The last first */
  people: RememberedPerson[]
}
