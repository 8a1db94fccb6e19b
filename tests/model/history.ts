import type { Method } from '@/lib/api/schemas'

/** `passkeys` are cheap; `passwords` hash; `throttles` meet the rate limits; `restarts` end the server's process. */
export type Kind = 'passkeys' | 'throttles' | 'passwords' | 'restarts'

/** Names stand for ids: `account 0`, `session 3`, `challenge 7`, `passkey 2`, `code 11`. Times are milliseconds. */
export type Session = {
  name: string
  account: string
  epoch: number
  method: Method
  passkey: string | null
  expires: number
  /** When a credential was last shown for it */
  shownAt: number
  /** The first of the sessions that it was given in place of; itself if it is the first. */
  root: string
}

/** Proof of a credential, for one session. */
export type StepUp = { session: string; account: string; epoch: number; method: Method; expires: number }

export type Challenge = {
  name: string
  /** The account that it is limited to, or that it will create under `username`. */
  account: string | null
  username: string | null
  session: string | null
  expires: number
}

/** What a request asks, with what it shows for it. */
export type Request = {
  path: string
  at: number
  address: string
  /** Whether its browser has signed in before to the account of this username. */
  isKnown: boolean
  session: Session | null
  stepUp: StepUp | null
  username?: string
  password?: string
  currentPassword?: string
  challenge?: Challenge
  passkey?: string
  /** The passkeys that stay when the password changes */
  kept?: readonly string[]
  verified?: boolean
  code?: string
  target?: string
  exceptThis?: boolean
  group?: string
  email?: string
  /** A code that the app got, or one that gave the access token that it shows */
  appCode?: string
  /** Of that access token */
  tokenExpires?: number
  /** Whether the app asks for access without the person */
  isLasting?: boolean
  refreshToken?: string
  /** The session that the ID token of an app's logout is of, by its first */
  hint?: { account: string; root: string }
}

/** What an answer says, in names. */
export type Answer = {
  status: number
  code?: string
  session?: Session
  stepUp?: StepUp
  challenge?: Challenge
  account?: {
    username: string
    email: string | null
    groups: string[]
    passkeys: string[]
    hasPassword: boolean
    codes: number
  }
  codes?: string[]
  sessions?: string[]
  /** A code for the app */
  appCode?: string
  refreshToken?: string
  /** Whether a logout asks its person */
  asks?: boolean
}

/** A request and its answer; null if the server was killed before it answered. */
export type Exchange = {
  request: Request
  answer: Answer | null
  /** Places in the order in which things happened at the client. */
  sent: number
  received: number
}

/** How many attempts rate limits allow in a window. */
export type Limits = { address: number; password: number; windowMilliseconds: number }
