import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { lacks } from '../support/machine/needs'
import { copyPackages } from '../support/project/checkout.mjs'
import { onceFor } from '../support/project/once-for.mjs'

const root = resolve(import.meta.dirname, '../..')

/** Where clients are installed and run, beside the product's own packages, of which they take Next, React and srvx. */
export const folder = join(root, 'build/clients')
const next = join(folder, 'next')
/** A Python that has the packages of requirements.txt. */
export const python = join(folder, 'python/bin/python')

/** Installs the clients and builds the app of Next, once for each of their states. */
export default function install() {
  for (const name of ['apps', 'next/app']) rmSync(join(folder, name), { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of ['apps', 'next', 'package.json', 'package-lock.json', 'requirements.txt', '.npmrc'])
    cpSync(join(import.meta.dirname, name), join(folder, name), { recursive: true })
  cpSync(join(root, 'tests/your-app/next'), next, { recursive: true })
  const packages = [join(root, 'package-lock.json'), join(folder, 'package-lock.json')]
  onceFor(folder, 'install', packages.map(read), () => {
    run(folder, 'npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error')
    // Next takes packages from its own root only, which must not be the product's: Next would build that, too.
    copyPackages(root, folder)
  })
  if (!lacks('Python with venv'))
    onceFor(folder, 'python', [read(join(folder, 'requirements.txt'))], () => {
      run(folder, 'python3', '-m', 'venv', '--clear', 'python')
      run(folder, python, ...'-m pip install --quiet --only-binary :all: --requirement requirements.txt'.split(' '))
    })
  const kit = join(folder, 'node_modules/latchkey-kit')
  run(root, process.execPath, 'node_modules/typescript/bin/tsc', '-p', 'packages/kit', '--outDir', join(kit, 'dist'))
  cpSync(join(root, 'packages/kit/package.json'), join(kit, 'package.json'))
  const sources = readdirSync(next, { recursive: true, encoding: 'utf8' }).filter((path) => !path.startsWith('.next'))
  const files = sources.filter((path) => path.endsWith('.js')).map((path) => join(next, path))
  onceFor(folder, 'build', [...packages, ...files].map(read), () => run(next, process.execPath, ...nextWords('build')))
}

const read = (file: string) => readFileSync(file, 'utf8')

/** Next's program. */
export const nextWords = (...words: string[]) => [join(folder, 'node_modules/next/dist/bin/next'), ...words]

const run = (cwd: string, command: string, ...words: string[]) =>
  execFileSync(command, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'], env: environment() })

const environment = () => ({ ...process.env, NEXT_TELEMETRY_DISABLED: '1' })
