import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { killOnExit } from '../support/machine/processes'

const HOST = join(import.meta.dirname, 'function.mjs')

/** The functions of a build, each a process with its own files only, started at its first request. */
export class Functions {
  private readonly running = new Map<string, Promise<number>>()
  private readonly ends: (() => Promise<void>)[] = []
  readonly options: { source: string; folder: string; node: string; settings: Record<string, string> }

  constructor(options: Functions['options']) {
    this.options = options
  }

  has(path: string): boolean {
    return existsSync(this.link(path))
  }

  /** The port of the function that answers a path. */
  port(path: string): Promise<number> {
    // Paths that share a function are symbolic links to one folder.
    const output = realpathSync(this.link(path))
    const port = this.running.get(output) ?? this.start(this.extract(output))
    this.running.set(output, port)
    return port
  }

  async stop() {
    for (const end of this.ends) await end()
  }

  private link(path: string): string {
    return join(this.options.source, `.vercel/output/functions/${path === '/' ? 'index' : path}.func`)
  }

  /** Assembles what Vercel uploads: the function's folder and the files mapped into it. */
  private extract(output: string): string {
    const folder = join(this.options.folder, String(this.running.size))
    cpSync(output, folder, { recursive: true })
    const { filePathMap } = JSON.parse(readFileSync(join(output, '.vc-config.json'), 'utf8'))
    for (const [to, from] of Object.entries<string>(filePathMap)) {
      mkdirSync(dirname(join(folder, to)), { recursive: true })
      cpSync(join(this.options.source, from), join(folder, to), { recursive: true, verbatimSymlinks: true })
    }
    return folder
  }

  /** The permission model lets the process read only its folder and write nothing: an untraced file is an error. */
  private async start(folder: string): Promise<number> {
    const { node, settings } = this.options
    const allowed = [`--allow-fs-read=${folder}`, `--allow-fs-read=${HOST}`, '--allow-worker']
    const words = ['--permission', ...allowed, '--disable-warning=PERM0006', HOST, folder]
    const child = spawn(node, words, {
      cwd: folder,
      env: { VERCEL: '1', ...settings } as unknown as NodeJS.ProcessEnv,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    killOnExit(child)
    const exit = once(child, 'exit')
    this.ends.push(async () => {
      child.kill()
      await exit
    })
    const ended = exit.then(() => Promise.reject(new Error(`The function in ${folder} ended.`)))
    const [address] = (await Promise.race([once(child, 'message'), ended])) as [AddressInfo]
    return address.port
  }
}
