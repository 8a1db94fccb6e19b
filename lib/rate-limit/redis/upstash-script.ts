const roundsDown = 'requestsInPreviousWindow = math.floor('

/**
 * The scripts of `@upstash/ratelimit` round the weighted count of the previous window down, which would allow a sixth attempt
 * right after the first five.
 *
 * @throws Error if another release of it rounds in another way: the database then counts
 */
export function roundingUp(text: string): string {
  const [before, after, ...others] = text.split(roundsDown)
  if (after === undefined || others.length > 0) throw new Error('unexpected script of @upstash/ratelimit')
  return `${before}${roundsDown.replace('floor', 'ceil')}${after}`
}

/** The scripts of `@upstash/ratelimit` begin with a shebang that only Upstash accepts. */
export const withoutShebang = (script: string) => script.replace(/^#!lua [^\n]*\n/, '')
