import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { killOnExit } from '../support/machine/processes'
import { temporaryFolder } from '../support/machine/temporary-folder'
import { copyPackages, copySources } from '../support/project/checkout.mjs'

const root = resolve(import.meta.dirname, '../..')
export const majors = [20, 22, 24, 26]
export const npmCli =
  process.env.npm_execpath ?? join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js')

/** How this machine reaches the registry. npm looks for its global configuration beside Node, where a fresh one has none. */
export const registryAccess = Object.fromEntries(
  Object.entries(process.env).filter(([name]) =>
    /^(npm_config_(cache|globalconfig|registry|userconfig)|https?_proxy|no_proxy|node_extra_ca_certs)$/i.test(name),
  ),
)

/** A checkout, and the Node to install and run it with. */
export interface Installation {
  folder: string
  /** The only folder in its PATH. */
  programs: string
  /** Runs a program of that Node. @returns its output @throws with its output when it fails */
  run(command: 'node' | 'npm', words: string[], env?: Record<string, string>): string
  start(command: 'node' | 'npm', words: string[], env?: Record<string, string>): Running
  /** Adds the packages that only this repository's tests need. */
  addTools(): void
  remove(): void
}

export interface Running {
  child: ChildProcess
  output(): string
  /** Sends SIGTERM. @returns the exit code */
  stop(): Promise<number | null>
}

/**
 * Copies what a clone of a fork would have, changes that are not committed included, and what was installed and built in
 * `installedIn`, and makes a PATH with a Node of this major version and npm, but without a compiler.
 */
export function checkOut(major: number, installedIn?: string): Installation {
  const folder = temporaryFolder(`node-${major}`)
  copySources(folder)
  addFilesOfFork(folder)
  if (installedIn) {
    copyPackages(installedIn, folder)
    for (const built of ['build', '.next', 'lib/database/generated'])
      execFileSync('cp', ['-a', join(installedIn, built), join(folder, built)])
  }
  const programs = temporaryFolder('path')
  symlinkSync(nodeBinary(major), join(programs, 'node'))
  for (const name of ['npm', 'npx']) symlinkSync(join(dirname(npmCli), `${name}-cli.js`), join(programs, name))
  symlinkSync('/bin/sh', join(programs, 'sh'))
  const options = (env: Record<string, string> = {}) => ({
    cwd: folder,
    // Without CI, which makes npm and Next print more than a user sees.
    env: { ...registryAccess, HOME: process.env.HOME, PATH: programs, ...env } as unknown as NodeJS.ProcessEnv,
  })
  return {
    folder,
    programs,
    run: (command, words, env) => {
      const shell = { ...options(env), encoding: 'utf8' as const, maxBuffer: 1e8 }
      const { status, signal, stdout } = spawnSync('sh', ['-c', 'exec "$0" "$@" 2>&1', command, ...words], shell)
      if (status !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${status ?? signal}:\n${stdout}`)
      return stdout
    },
    start: (command, words, env) => launch(join(programs, command), words, options(env)),
    addTools: () => copyPackages(root, folder),
    remove: () => {
      for (const made of [folder, programs]) rmSync(made, { recursive: true })
    },
  }
}

/** The code that docs/your-app/fork.md tells a fork to add. */
export const addedSources = ['app/api/note', 'app/notes', 'lib/auth/accounts/note.ts']

/** Adds what docs/your-app/fork.md tells a fork to add. */
function addFilesOfFork(folder: string) {
  const files = join(root, 'tests/your-app/fork')
  for (const path of addedSources) cpSync(join(files, path), join(folder, path), { recursive: true })
  const model = readFileSync(join(files, 'prisma/note.prisma'), 'utf8')
  const schema = join(folder, 'prisma/schema.prisma')
  const withField = readFileSync(schema, 'utf8').replace(/^model User \{\n/m, '$&  note Note?\n')
  writeFileSync(schema, `${withField}\n${model}`)
  for (const provider of ['sqlite', 'postgresql']) {
    const migration = join(folder, 'prisma', provider, 'migrations/20270101000000_note')
    mkdirSync(migration)
    cpSync(join(files, 'prisma/migration.sql'), join(migration, 'migration.sql'))
  }
}

function launch(command: string, words: string[], options: SpawnOptions): Running {
  const child = spawn(command, words, options)
  killOnExit(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += chunk))
  return {
    child,
    output: () => output,
    async stop() {
      const exit = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = await exit
      return code
    },
  }
}

/** Installs Node from the npm registry, which has a package for each platform. @returns its path */
export function nodeBinary(major: number): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath
  const cache = join(root, 'node_modules/.cache/nodes', String(major))
  const name = `node-${process.platform}-${process.arch}`
  const binary = join(cache, 'node_modules', name, 'bin/node')
  if (!existsSync(binary)) {
    mkdirSync(cache, { recursive: true })
    const words = ['install', '--prefix', cache, '--no-save', '--ignore-scripts', `${name}@${major}`]
    execFileSync(process.execPath, [npmCli, ...words], { cwd: cache, stdio: 'pipe' })
  }
  return binary
}
