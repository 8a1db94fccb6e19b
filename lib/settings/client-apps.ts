import { isIP } from 'node:net'
import * as z from 'zod'
import { addFault, entriesOf, isUnder, isUnusableScheme, isWebOrigin } from './fields'

/** The part of a custom scheme's origin that browsers send: `capacitor://localhost`. */
const customOrigin = /^[a-z][a-z0-9+.-]*:\/\/[A-Za-z0-9._-]+(:\d{1,5})?$/

/** Compares text, because `new URL('capacitor://x').origin` is 'null', and so is that of `javascript:`. */
const isCustomOrigin = (text: string) => customOrigin.test(text) && !/^https?:/.test(text) && !isUnusableScheme(text)

interface ClientApp {
  origin: string
  /** By which the profile opens it; null: it does not */
  name: string | null
}

function clientApps(text: string, context: z.core.$RefinementCtx): ClientApp[] {
  return entriesOf(text).map((entry) => {
    // An origin has no equals sign.
    const [, name = null, origin = entry] = /^([^=]+)=(.*)$/.exec(entry) ?? []
    return { origin: clientOrigin(origin.trim(), context), name: name?.trim() || null }
  })
}

function clientOrigin(given: string, context: z.core.$RefinementCtx): string {
  const entry = given.replace(/\/$/, '')
  if (entry.includes('*')) context.addIssue(`must name each origin in full; "${given}" has a wildcard`)
  else if (isWebOrigin(entry)) return new URL(entry).origin
  else if (!isCustomOrigin(entry)) context.addIssue(notOrigin(given))
  return entry
}

const originsOf = (apps: ClientApp[]) => [...new Set(apps.map(({ origin }) => origin))]

const notOrigin = (text: string) =>
  `must be origins such as https://app.example.com or capacitor://localhost, separated by commas (http on localhost only); "${text}" is not one`

/** A name below a top-level domain: browsers keep no cookie for a whole one, or for the parent of an IP address. */
const isDomain = (text: string) =>
  /^[a-z\d-]+(\.[a-z\d-]+)+$/.test(text) && isIP(text) === 0 && URL.canParse(`https://${text}`)

interface AndroidApp {
  packageName: string
  /** SHA-256 of signing certificates, in hex with colons */
  fingerprints: string[]
}

function androidApps(text: string, context: z.core.$RefinementCtx): AndroidApp[] {
  const apps = new Map<string, string[]>()
  for (const entry of entriesOf(text)) {
    const [, name = '', hex = ''] =
      /^([A-Za-z]\w*(?:\.[A-Za-z]\w*)+):((?:[\dA-Fa-f]{2}:?){31}[\dA-Fa-f]{2})$/.exec(entry) ?? []
    if (!name) {
      context.addIssue(notAndroid(entry))
      continue
    }
    const fingerprint = hex.replaceAll(':', '').toUpperCase().match(/../g)?.join(':') ?? ''
    apps.set(name, [...(apps.get(name) ?? []), fingerprint])
  }
  return [...apps].map(([packageName, fingerprints]) => ({ packageName, fingerprints }))
}

const notAndroid = (text: string) =>
  `must be PACKAGE:FINGERPRINT, such as com.example.app:14:6D:E9:..., with the SHA-256 of the signing certificate, or several separated by commas; "${text}" is not one`

function appleApps(text: string, context: z.core.$RefinementCtx): string[] {
  const apps = entriesOf(text)
  for (const entry of apps) {
    if (/^[A-Z\d]{10}\.[A-Za-z\d-]+(\.[A-Za-z\d-]+)*$/.test(entry)) continue
    context.addIssue(
      `must be TEAMID.BUNDLE, such as A1B2C3D4E5.com.example.app, or several separated by commas; "${entry}" is not one`,
    )
  }
  return apps
}

/** The hosts whose clients may introduce themselves; null: none may. */
function clientDocuments(text: string, context: z.core.$RefinementCtx): string[] | 'any' | null {
  if (text === 'off') return null
  if (text === 'any') return 'any'
  return entriesOf(text).map((entry) => {
    const url = /^[^/?#@*\\\s]+$/.test(entry) && URL.canParse(`https://${entry}`) ? new URL(`https://${entry}`) : null
    // Documents are at names that everybody can look up, so `any` and `off` in a list are mistakes.
    if (!url?.hostname.includes('.') || isIP(url.hostname) !== 0)
      context.addIssue(
        `must be off, any, or hosts such as app.example.com in full, separated by commas; "${entry}" is none`,
      )
    return url?.host ?? entry
  })
}

export const clientAppsSchema = z
  .object({
    CLIENT_ORIGINS: z.string().transform(clientApps).default([]),
    ACCESS_COOKIE_DOMAIN: z
      .string()
      .transform((text) => text.toLowerCase())
      .refine(isDomain, 'must be the parent domain of your apps without a leading dot, such as example.com')
      .optional(),
    CLIENT_DOCUMENTS: z.string().trim().transform(clientDocuments).default(null),
    ANDROID_APPS: z.string().transform(androidApps).default([]),
    APPLE_APPS: z.string().transform(appleApps).default([]),
  })
  .transform((given) => ({
    /** The origins of apps whose pages may ask who is signed in. */
    clientOrigins: originsOf(given.CLIENT_ORIGINS),
    /** Those that people open from their profile. */
    clientTiles: given.CLIENT_ORIGINS.flatMap(({ name, origin }) =>
      name !== null && /^https?:/.test(origin) ? { name, url: origin } : [],
    ),
    accessCookie: accessCookie(given.ACCESS_COOKIE_DOMAIN, originsOf(given.CLIENT_ORIGINS)),
    clientDocuments: given.CLIENT_DOCUMENTS,
    androidApps: given.ANDROID_APPS,
    appleApps: given.APPLE_APPS,
  }))

/** The domain that the access cookie is for, and the apps there. */
function accessCookie(domain: string | undefined, origins: string[]) {
  if (domain === undefined) return null
  const isThere = (origin: string) => origin.startsWith('https:') && isUnder(new URL(origin).hostname, domain)
  return { domain, origins: origins.filter(isThere) }
}

/** Browsers keep a Secure cookie of a domain only if it comes from an https host there. */
export function checkAccessCookie(domain: string | undefined, origin: string, context: z.core.$RefinementCtx): void {
  const { protocol, hostname } = new URL(origin)
  if (domain === undefined || (protocol === 'https:' && isUnder(hostname, domain))) return
  const message = `must be the host of APP_ORIGIN or a parent domain of it, and APP_ORIGIN must be https; it is ${origin}`
  addFault(context, 'ACCESS_COOKIE_DOMAIN', message)
}
