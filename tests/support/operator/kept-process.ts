import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { environmentWith, type Finished } from './command'

export interface Run {
  /** Of build/. */
  program: 'accounts' | 'doctor'
  settings: Record<string, string | undefined>
  words: string[]
  /** Its standard input, which is no terminal. */
  input: string
}

type Runner = (run: Run) => Promise<Finished>

/** By database and schema: a module keeps the texts of its statements as long as its process lives. */
const kept = new Map<string, Runner>()

/**
 * Runs a program, once those before it have ended, in a process that this worker keeps for them. Whether it ends by itself,
 * and what signals, terminals and broken pipes do to it, shows in a process of its own alone.
 */
export const runInKeptProcess: Runner = (run) => {
  const { protocol, search } = new URL(run.settings.DATABASE_URL ?? 'file:')
  const key = `${protocol}${search}`
  const runner = kept.get(key) ?? start(() => kept.delete(key))
  kept.set(key, runner)
  return runner(run)
}

/** It ends with its standard input, which this process holds open. */
function start(onEnd: () => void): Runner {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'kept-process-main.mjs')])
  // Then it has ended, as 'close' reports.
  child.stdin.on('error', () => {})
  const [outputs, errors] = [readParts(child.stdout), readParts(child.stderr)]
  const ended = new Promise<never>((_, reject) => {
    child.once('close', () => {
      onEnd()
      reject(new Error(`The process of commands ended: ${errors.rest()}`))
    })
  })
  ended.catch(() => {})
  let earlier: Promise<unknown> = Promise.resolve()
  return ({ settings, ...run }) => {
    child.stdin.write(`${JSON.stringify({ ...run, env: environmentWith(settings) })}\n`)
    const finish = async () => {
      const stdout = await outputs.next()
      return { stdout, code: Number(await outputs.next()), stderr: await errors.next() }
    }
    const finished = earlier.then(() => Promise.race([finish(), ended]))
    earlier = finished.catch(() => {})
    return finished
  }
}

/** Reads the texts that end with three NULs. */
function readParts(stream: Readable) {
  const parts: string[] = []
  let rest = ''
  let arrived = () => {}
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const read = (rest + chunk).split('\0\0\0')
    rest = read.pop() ?? ''
    parts.push(...read)
    arrived()
  })
  return {
    /** What has no end yet. */
    rest: () => rest,
    async next(): Promise<string> {
      for (;;) {
        const part = parts.shift()
        if (part !== undefined) return part
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      }
    },
  }
}
