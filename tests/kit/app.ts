import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { test as base, expect } from 'playwright/test'
import { registryAccess } from '../nodes/installation'
import { freePort, untilConnectable } from '../support/machine/ports'
import { endProcess, killOnExit } from '../support/machine/processes'
import { temporaryFolder } from '../support/machine/temporary-folder'

export { expect }

export const root = resolve(import.meta.dirname, '../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
export const tarball = join(root, `build/latchkey-kit-${version}.tgz`)

/** An app in a folder of its own, and Latchkey for it. */
export class DevelopedApp {
  readonly folder = join(temporaryFolder('kit'), 'notes')
  readonly #stops: (() => Promise<void>)[] = []
  readonly #outputs: (() => string)[] = []
  readonly port: number
  readonly #latchkey: number
  readonly #as: number

  private constructor([port = 0, latchkey = 0, as = 0]: number[]) {
    this.port = port
    this.#latchkey = latchkey
    this.#as = as
    mkdirSync(this.folder)
  }

  static async at(): Promise<DevelopedApp> {
    return new DevelopedApp([await freePort(), await freePort(), await freePort()])
  }

  get origin() {
    return `http://localhost:${this.port}`
  }

  /** Where somebody becomes `person` and goes on to a page of the app. */
  as(person: string, path: string) {
    return `http://localhost:${this.#as}/as/${person}?to=${encodeURIComponent(this.origin + path)}`
  }

  run(command: string, ...words: string[]): string {
    return execFileSync(command, words, {
      cwd: this.folder,
      encoding: 'utf8',
      env: environment(),
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  }

  install(...packages: string[]) {
    this.run('npm', 'install', '--no-audit', '--no-fund', '--loglevel=error', '--prefer-offline', ...packages)
  }

  write(path: string, text: string) {
    writeFileSync(join(this.folder, path), text)
  }

  read(path: string) {
    return readFileSync(join(this.folder, path), 'utf8')
  }

  /** What a document shows. */
  copy(from: string, to: string) {
    const target = join(this.folder, to)
    mkdirSync(join(target, '..'), { recursive: true })
    cpSync(join(root, 'tests/your-app/kit', from), target, { recursive: true })
  }

  /** As `npx latchkey-kit init`, with the ports of this test. */
  init() {
    if (!existsSync(join(this.folder, '.env.local')))
      this.write('.env.local', `LATCHKEY_ISSUER=http://localhost:${this.#latchkey}\n`)
    return this.run('npx', 'latchkey-kit', 'init', '--yes', '--port', `${this.port}`)
  }

  /** Runs something as a machine would that has no settings. */
  withoutSettings(act: () => void) {
    const path = join(this.folder, '.env.local')
    renameSync(path, `${path}.away`)
    act()
    renameSync(`${path}.away`, path)
  }

  async startLatchkey() {
    const words = [join(root, 'build/latchkey.mjs'), 'dev', '--port', `${this.#latchkey}`, '--as-port', `${this.#as}`]
    await this.start(this.#as, words)
    await expect.poll(() => this.output(), { timeout: 60_000 }).toContain('/as/ada')
  }

  async start(port: number, words: string[], more: Record<string, string> = {}) {
    const child = spawn(process.execPath, words, { cwd: this.folder, env: environment(more) })
    killOnExit(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    this.#stops.push(() => endProcess(child, 'SIGTERM'))
    this.#outputs.push(() => output)
    await untilConnectable(port, child, Date.now() + 60_000).catch((error) => {
      throw new Error(`${error.message}\n${output}`)
    })
  }

  output = () => this.#outputs.map((read) => read()).join('\n')

  async stop() {
    for (const stop of this.#stops.reverse()) await stop()
  }
}

const environment = (more: Record<string, string> = {}) => {
  const { PATH, HOME } = process.env
  return { PATH, HOME, NEXT_TELEMETRY_DISABLED: '1', ...registryAccess, ...more } as unknown as NodeJS.ProcessEnv
}

export const test = base.extend<{ app: DevelopedApp }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
  app: async ({}, use, testInfo) => {
    const app = await DevelopedApp.at()
    await use(app)
    await app.stop()
    if (testInfo.status !== testInfo.expectedStatus) await testInfo.attach('output', { body: app.output() })
  },
})
