import { createHash } from 'node:crypto'

/** What a connection gives to run a script: by its digest, or by its text when the server does not have it (yet). */
interface Runner {
  bySha(sha: string): Promise<unknown>
  byText(text: string): Promise<unknown>
}

const shas = new Map<string, string>()

/** Runs a Lua script by its SHA-1 digest, and sends its text only where Redis does not know it: first use, or a restart. */
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
