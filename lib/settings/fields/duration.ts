import * as z from 'zod'

const milliseconds = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** A number and a unit, such as `15m` or `7d`, as milliseconds. */
export const duration = (fallback: string) =>
  z
    .string()
    .default(fallback)
    .transform((text, context) => {
      const [, number, unit] = /^(\d{1,6})\s?([smhdw])$/.exec(text.trim()) ?? []
      const value = Number(number) * milliseconds[unit as keyof typeof milliseconds]
      if (value > 0) return value
      context.addIssue('must be a number and a unit (s, m, h, d or w), such as 15m or 7d')
      return z.NEVER
    })
