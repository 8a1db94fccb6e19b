import * as z from 'zod'
import { unitMilliseconds } from '@/lib/api/limits'

/** Reports a fault of a variable. The message continues the variable's name: "must be ...". */
export function addFault(context: z.core.$RefinementCtx, variable: string, message: string): void {
  context.addIssue({ code: 'custom', path: [variable], message })
}

/** Splits a setting at its commas, without the spaces around them. */
export const entriesOf = (text: string): string[] => text.split(',').map((entry) => entry.trim())

/** A whole number between two limits, both included. */
export const wholeNumber = (fallback: number, min: number, max: number) =>
  z
    .string()
    .default(String(fallback))
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max,
      `must be a whole number from ${min} to ${max}`,
    )
    .transform(Number)

export const defaultPort = 3000

export const port = wholeNumber(defaultPort, 1, 65_535)

/** A number and a unit, such as `15m` or `7d`, as milliseconds. */
export const duration = (fallback: string) => z.string().default(fallback).transform(parseDuration)

export function parseDuration(text: string, context: z.core.$RefinementCtx): number {
  const [, number, unit] = /^(\d{1,6})\s?([smhdw])$/.exec(text.trim()) ?? []
  const value = Number(number) * unitMilliseconds[unit as keyof typeof unitMilliseconds]
  if (value > 0) return value
  context.addIssue('must be a number and a unit (s, m, h, d or w), such as 15m or 7d')
  return z.NEVER
}

/** Null unless the text is a URL of http or https. */
export function httpUrl(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url && /^https?:$/.test(url.protocol) ? url : null
}

/**
 * True for an origin of http or https, also with a slash at its end. People write default ports, capitals and letters of other
 * scripts; browsers send `new URL(text).origin`.
 */
export const isHttpOrigin = (text: string): boolean =>
  httpUrl(text) !== null && /^https?:\/\/[^/?#@\\\s]+\/?$/i.test(text)

/** True for an origin of the web: https, or http on this machine. */
export function isWebOrigin(text: string): boolean {
  const { protocol, hostname = '' } = httpUrl(text) ?? {}
  return isHttpOrigin(text) && (protocol === 'https:' || isUnder(hostname, 'localhost'))
}

/** True if no app can own the text's scheme: such pages have no origin, run in another page, or belong to the browser. */
export const isUnusableScheme = (text: string) =>
  /^(about|blob|data|file|filesystem|ftp|intent|javascript|vbscript|view-source|wss?):/.test(text)

/** True for this domain and every host below it. */
export const isUnder = (host: string, domain: string) => host === domain || host.endsWith(`.${domain}`)
