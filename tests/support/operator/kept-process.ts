import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { killOnExit } from '../processes'
import { withoutUndefined } from '../without-undefined'

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

type Run = (env: Record<string, string | undefined>, words: string[]) => Promise<Finished>

let run: Run | undefined

/** Runs a command of `npm run accounts`, once those before it have ended, in the process that this worker keeps for them. */
export const runInKeptProcess: Run = (env, words) => {
  run ??= start()
  return run(env, words)
}

function start(): Run {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'command-process.mjs')])
  killOnExit(child)
  let errors = ''
  child.stderr.on('data', (chunk) => (errors += chunk))
  const waiting: { resolve: (finished: Finished) => void; reject: (error: Error) => void }[] = []
  createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.resolve(JSON.parse(line)))
  child.once('close', () => {
    run = undefined
    for (const { reject } of waiting) reject(new Error(`The process of commands ended: ${errors}`))
  })
  return (env, words) => {
    const settings = withoutUndefined({ PATH: process.env.PATH, NODE_ENV: 'production', ...env })
    child.stdin.write(`${JSON.stringify({ env: settings, words })}\n`)
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
  }
}
