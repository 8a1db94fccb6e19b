import * as z from 'zod'

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

const milliseconds = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** A number and a unit, such as `15m` or `7d`, as milliseconds. */
export const duration = (fallback: string) => z.string().default(fallback).transform(parseDuration)

export function parseDuration(text: string, context: z.core.$RefinementCtx): number {
  const [, number, unit] = /^(\d{1,6})\s?([smhdw])$/.exec(text.trim()) ?? []
  const value = Number(number) * milliseconds[unit as keyof typeof milliseconds]
  if (value > 0) return value
  context.addIssue('must be a number and a unit (s, m, h, d or w), such as 15m or 7d')
  return z.NEVER
}
