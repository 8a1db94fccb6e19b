/**
 * Seconds: the longest that browsers keep a cookie (RFC 6265bis section 5.5). Not one of the `limits`, since scripts of pages
 * that need no other would carry them all.
 */
export const maxCookieSeconds = 400 * 86_400

/**
 * The name that a cookie of ours has in the browser. With `__Host-`, which takes https, browsers reject one set by another host
 * of the domain (RFC 6265bis section 4.1.3.2). Without, all ports of localhost share a jar, and other servers there call theirs
 * `session` and `locale`.
 */
export const cookieName = (name: string, isSecure: boolean) => `${isSecure ? '__Host-' : 'latchkey-'}${name}`

/** Names the account that a page shows: the server does nothing for another one. */
export const accountHeader = 'Latchkey-Account'

/** Carries the step-up token. */
export const stepUpHeader = 'Latchkey-Step-Up'

/** The group whose members are the administrators. */
export const administrators = 'admins'

/** Attempts to sign in that failed, as an account's events name them. */
export const failureEvents = ['signin_failed', 'locked_out'] as const

export type FailureEvent = (typeof failureEvents)[number]

export const isFailureEvent = (type: string): type is FailureEvent => failureEvents.some((one) => one === type)

/** The authorization endpoint, to which our pages lead back from an app's request. */
export const authorizationPath = '/api/oauth/authorize'
