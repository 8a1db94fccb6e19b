import { createHash } from 'node:crypto'

/** Results are `unknown`, because a misconfigured server may send anything. */
export interface RedisConnection {
  readonly name: string
  run(script: string, keys: string[], args: (string | number)[]): Promise<unknown>
  /** Null for a missing key. */
  read(keys: string[]): Promise<unknown>
  remove(keys: string[]): Promise<unknown>
  close(): void
}

interface Runner {
  bySha(sha: string): Promise<unknown>
  byText(text: string): Promise<unknown>
}

const shas = new Map<string, string>()

/** Sends the text of a Lua script only if Redis does not know its SHA-1 digest, as after a restart. */
export async function runScript(text: string, { bySha, byText }: Runner): Promise<unknown> {
  const sha = shas.get(text) ?? createHash('sha1').update(text).digest('hex')
  shas.set(text, sha)
  try {
    return await bySha(sha)
  } catch (error) {
    if (!String(error).includes('NOSCRIPT')) throw error
    return byText(text)
  }
}

const roundsDown = 'requestsInPreviousWindow = math.floor('

/**
 * The scripts of `@upstash/ratelimit` round the weighted count of the previous window down, which would allow a sixth attempt
 * right after the first five. Its public `limiter` option would take a script of ours, but then the library would no longer decide.
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
