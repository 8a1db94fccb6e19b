import { createHash } from 'node:crypto'

/** Runs a script by its digest, or by its text if the server does not have it. */
interface Runner {
  bySha(sha: string): Promise<unknown>
  byText(text: string): Promise<unknown>
}

const shas = new Map<string, string>()

/** Runs a Lua script by its SHA-1 digest; sends its text only if Redis does not know it, as after a restart. */
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
