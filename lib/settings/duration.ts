const milliseconds = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/** Reads a number and a unit (`15m`, `7d`; units `s m h d w`) as milliseconds, or gives null. */
export function parseDuration(text: string): number | null {
  const [, number, unit] = /^(\d{1,6})\s?([smhdw])$/.exec(text.trim()) ?? []
  const duration = Number(number) * milliseconds[unit as keyof typeof milliseconds]
  return duration > 0 ? duration : null
}
