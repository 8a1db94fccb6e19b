import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { environmentWith } from './command'

const root = resolve(import.meta.dirname, '../../..')

/** Bundles a program that imports the product's modules. @returns its file, below the project, where Node finds packages */
export async function bundle(contents: string): Promise<string> {
  const outfile = resolve(root, `build/test-${randomBytes(6).toString('hex')}.mjs`)
  await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    tsconfig: resolve(root, 'tsconfig.json'),
    logLevel: 'silent',
  })
  return outfile
}

/**
 * Runs a function of the product in a process of its own, as an operator's command would.
 *
 * @param call an expression that gives a promise of JSON, such as `readStats()`
 * @returns what it resolved to
 */
export async function runModule<T>(module: string, call: string, settings: Record<string, string>): Promise<T> {
  const outfile = await bundle(`import * as module from ${JSON.stringify(module)}
const { ${call.slice(0, call.indexOf('('))} } = module
process.stdout.write(JSON.stringify(await ${call}))`)
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [outfile], {
      cwd: root,
      env: environmentWith(settings),
    })
    return JSON.parse(stdout)
  } finally {
    rmSync(outfile, { force: true })
  }
}
