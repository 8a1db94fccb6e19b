// Makes the copy that the tests run on: this checkout with every mutant in it, and its servers bundled.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { copySources } from '../support/project/checkout.mjs'
import { onceFor } from '../support/project/once-for.mjs'

/**
 * @typedef {object} Mutant
 * @property {string} id what the variable MUTANT switches it on by, in this copy only
 * @property {string} key the same in every copy in which its file has it
 * @property {string} file
 * @property {string} folder the row of the table that it counts in
 * @property {number} line
 * @property {string} original in one line
 * @property {string} replacement in one line
 */

const root = resolve(import.meta.dirname, '../..')
export const folder = join(root, 'build/mutation')
export const copy = join(folder, 'copy')
const tools = join(folder, 'tools')

/** What is mutated. */
const mutated = ['lib/auth', 'lib/openid', 'lib/rate-limit', 'lib/settings']

const digestOf = (/** @type {string[]} */ ...texts) => createHash('sha256').update(texts.join('\0')).digest('hex')

/** Stryker's instrumenter is no dependency of the product: its 67 packages are installed below build/, once. */
function install() {
  const files = ['package.json', 'package-lock.json', '.npmrc'].map((name) => join(import.meta.dirname, name))
  mkdirSync(tools, { recursive: true })
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  onceFor(tools, 'install', texts, () => {
    for (const file of files) cpSync(file, join(tools, relative(import.meta.dirname, file)))
    execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: tools, stdio: 'inherit' })
  })
}

/** @returns {Promise<{ mutants: Mutant[], state: string }>} with a digest of the files that have them */
export async function prepareCopy() {
  install()
  rmSync(copy, { recursive: true, force: true })
  copySources(copy)
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir')
  const { mutants, state } = await instrument()
  for (const program of ['scripts/generate.mjs', 'tests/mutation/build-server.mjs'])
    execFileSync(process.execPath, [program], { cwd: copy, stdio: ['ignore', 'ignore', 'inherit'] })
  return { mutants, state }
}

async function instrument() {
  const list = execFileSync('git', ['ls-files', '-z', ...mutated], { cwd: root, encoding: 'utf8' }).split('\0')
  const names = list.filter((name) => /\.(ts|mjs)$/.test(name))
  const files = names.map((name) => ({ name, mutate: true, content: readFileSync(join(copy, name), 'utf8') }))
  const instrumenter = await loadInstrumenter()
  // The header that Stryker would put into each file finds its switch in `globalThis`; ours is imported.
  const options = { plugins: [], excludedMutations: [], ignorers: [], noHeader: true }
  /** @type {{ files: { name: string, content: string }[], mutants: Found[] }} */
  const result = await instrumenter.instrument(files, options)
  for (const { name, content } of result.files) {
    const from = relative(dirname(name), 'tests/mutation/switch.mjs')
    const header = `import { stryCov_9fa48, stryMutAct_9fa48 } from '${from}'\n`
    if (content.includes('_9fa48(')) writeFileSync(join(copy, name), header + content)
  }
  const sources = new Map(files.map(({ name, content }) => [name, content]))
  const state = digestOf(...files.flatMap(({ name, content }) => [name, content]))
  return { mutants: describe(result.mutants, sources), state }
}

/** @typedef {{ line: number, column: number }} Place */
/** @typedef {{ id: string, fileName: string, mutatorName: string, replacement: string, location: { start: Place, end: Place } }} Found */

/** @param {Found[]} found @param {Map<string, string>} sources @returns {Mutant[]} */
function describe(found, sources) {
  /** @type {Map<string, number>} */
  const seen = new Map()
  return found.map(({ id, fileName: file, mutatorName, location, replacement: long }) => {
    const original = oneLine(textAt(sources.get(file) ?? '', location))
    const replacement = oneLine(long)
    const text = [file, mutatorName, original, replacement].join('\0')
    const earlier = seen.get(text) ?? 0
    seen.set(text, earlier + 1)
    const row = file.split('/').slice(0, 2)
    const key = digestOf(text, String(earlier)).slice(0, 16)
    return { id, key, file, folder: row.join('/'), line: location.start.line + 1, original, replacement }
  })
}

const oneLine = (/** @type {string} */ text) => text.replaceAll(/\s+/g, ' ').trim()

/** @param {string} source @param {{ start: Place, end: Place }} location */
function textAt(source, { start, end }) {
  const lines = source.split('\n').slice(start.line, end.line + 1)
  lines[lines.length - 1] = (lines.at(-1) ?? '').slice(0, end.column)
  lines[0] = (lines[0] ?? '').slice(start.column)
  return lines.join('\n')
}

async function loadInstrumenter() {
  const resolver = createRequire(join(tools, 'package.json'))
  const load = (/** @type {string} */ name) => import(pathToFileURL(resolver.resolve(name)).href)
  const { createInstrumenter } = await load('@stryker-mutator/instrumenter')
  const { createInjector } = await load('typed-inject')
  const silent = new Proxy({}, { get: (_, name) => () => (String(name).startsWith('is') ? false : undefined) })
  return createInjector().provideValue('logger', silent).injectFunction(createInstrumenter)
}
