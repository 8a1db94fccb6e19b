import type * as z from 'zod'
import { ApiError, type FieldError, isApiError } from '@/lib/api/errors'
import { fieldErrorOf } from '@/lib/api/schemas'

/** The origin of an event: a request, or an operator's command, which has no address and no browser. */
export interface EventContext {
  address: string | null
  userAgent: string | null
  /** The id in the response, or the one that all log lines of a command share */
  requestId: string
}

export interface Parsed<S extends z.ZodType> {
  body: z.output<S>
  context: RequestContext
}

/** What an HTTP request says about its sender. Nothing in it has been verified. */
export interface RequestContext extends EventContext {
  /** An IPv4 address, an IPv6 /64, or `unknown` */
  address: string
  session: string | null
  device: string | null
  stepUp: string | null
  /** What the browser keeps of the recoveries that it has asked for */
  recovery: string | null
  /** The language of the pages, as the sender's browser or person chose it */
  readonly language: string
  /** Aborts when the client disconnects. Created on first use, so read it only where work may wait. */
  readonly signal: AbortSignal | undefined
}

/** Takes the text after a scheme, which the caller gives in lower case (RFC 9110 section 11.4); null for another scheme. */
export function credentialsOf(authorization: string | null, scheme: string): string | null {
  // Not by a pattern with two runs of spaces, whose time would grow with the square of the header's length.
  const given = authorization ?? ''
  const rest = given.slice(scheme.length)
  const isScheme = given.slice(0, scheme.length).toLowerCase() === scheme && (rest === '' || rest.startsWith(' '))
  return isScheme ? rest.trim() : null
}

/** Reads the token, unverified (RFC 6750 section 2.1); null for anything but one word. */
export function bearerOf(authorization: string | null): string | null {
  const token = credentialsOf(authorization, 'bearer')
  return token !== null && /^\S+$/.test(token) ? token : null
}

/** @throws ApiError invalid_request, with the first error of each invalid field */
export function parse<T extends z.ZodType>(schema: T, input: unknown): z.infer<T> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const fields: Record<string, FieldError> = {}
  for (const issue of parsed.error.issues) {
    const path = issue.path.join('.')
    if (issue.code === 'unrecognized_keys')
      for (const key of issue.keys) fields[path ? `${path}.${key}` : key] ??= { key: 'unknown_field' }
    else fields[path || 'body'] ??= fieldErrorOf(issue)
  }
  throw new ApiError('invalid_request', { fields })
}

const codes: readonly string[] = ['authentication_failed', 'unknown_passkey', 'passkey_copied']

/** True for what limits, logs and counters take for a failed attempt. */
export const isWrongCredential = (error: unknown) => isApiError(error) && codes.includes(error.code)

/* What an address and a User-Agent say of where a request comes from: its network, and its browser. */

/** Providers assign a whole IPv6 /48 to one customer: 65,536 addresses. @returns null for IPv4 and `unknown` */
export function surroundingNetwork(address: string): string | null {
  const [, groups] = /^([^:]+:[^:]+:[^:]+):[^:]+::\/64$/.exec(address) ?? []
  return groups === undefined ? null : `${groups}::/48`
}

/** Takes the part of an address that many households share: an IPv4 /24 or IPv6 /48. */
export const neighbourhoodOf = (address: string): string =>
  surroundingNetwork(address) ?? address.replace(/\.\d+$/, '.0/24')

export const networkOf = (address: string): string => surroundingNetwork(address) ?? address

/** Such as "Firefox on Windows", from the tables alone: a User-Agent could otherwise put any text on the owner's profile. */
export function browserName(userAgent: string | null, joint = ' on '): string | null {
  if (!userAgent) return null
  return [nameIn(browsers, userAgent), nameIn(systems, userAgent)].filter(Boolean).join(joint) || null
}

/** The first match counts, because browsers also name those that they resemble. */
const browsers: [name: string, mark: RegExp][] = [
  ['Microsoft Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|OPT|OPX|OPiOS|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Brave', /\bBrave\//],
  ['Vivaldi', /\bVivaldi\//],
  ['DuckDuckGo', /\b(DuckDuckGo|Ddg)\//],
  ['Yandex Browser', /\bYaBrowser\//],
  ['UC Browser', /\bUC ?Browser\//],
  ['Huawei Browser', /\bHuaweiBrowser\//],
  ['Xiaomi Browser', /\bMiuiBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS|Focus|Klar)\//],
  ['Chrome', /\b(Chrome|CriOS|HeadlessChrome|Chromium)\//],
  ['Safari', /\bVersion\/\S+ (Mobile\/\S+ )?Safari\//],
]

const systems: [name: string, mark: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPadOS', /\biPad\b/],
  ['iOS', /\b(iPhone|iPod)\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Windows', /\bWindows NT\b/],
  ['macOS', /\b(Macintosh|Mac OS X)\b/],
  ['Linux', /\bLinux\b/],
]

const nameIn = (table: [string, RegExp][], userAgent: string) => table.find(([, mark]) => mark.test(userAgent))?.[0]
