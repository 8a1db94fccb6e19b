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
