import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { environmentWith, type Finished } from './command'

type Run = (settings: Record<string, string | undefined>, words: string[]) => Promise<Finished>

/** By database and schema: a module keeps the texts of its statements as long as its process lives. */
const kept = new Map<string, Run>()

/** Runs a command of `npm run accounts`, once those before it have ended, in a process that this worker keeps for them. */
export const runInKeptProcess: Run = (settings, words) => {
  const { protocol, search } = new URL(settings.DATABASE_URL ?? 'file:')
  const key = `${protocol}${search}`
  const run = kept.get(key) ?? start(() => kept.delete(key))
  kept.set(key, run)
  return run(settings, words)
}

/** It ends with its standard input, which this process holds open. */
function start(onEnd: () => void): Run {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'kept-process-main.mjs')])
  // Then it has ended, as 'close' reports.
  child.stdin.on('error', () => {})
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  const waiting: { resolve: (finished: Finished) => void; reject: (error: Error) => void }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(JSON.parse(line)))
  child.once('close', () => {
    onEnd()
    for (const { reject } of waiting) reject(new Error(`The process of commands ended: ${errors}`))
  })
  return (settings, words) => {
    child.stdin.write(`${JSON.stringify({ env: environmentWith(settings), words })}\n`)
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
  }
}
