import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { build, stop } from 'esbuild'
import { importTypeScript } from '../support/import-typescript.mjs'
import { announce, executableFile, runQuietly } from '../support/step.mjs'
import { generateClients } from './generate.mjs'
import { productStamp, serverStamp, sourceDigest } from './source-digest.mjs'

/**
 * Builds Prisma's clients, what Node runs (esbuild), then the pages (Next). On Vercel it also checks the settings, and
 * migrates the database last: once per deployment, not at every cold start, and not for a build that fails.
 */
export async function buildProduct() {
  const onVercel = Boolean(process.env.VERCEL)
  const digest = sourceDigest()
  // A build that fails from here on leaves files of two sources.
  rmSync(productStamp, { force: true })
  await generateClients()
  await buildServer()
  if (onVercel) migrate('check')
  announce('Building the pages')
  await runQuietly([executableFile('next'), 'build'])
  if (onVercel) migrate()
  writeFileSync(productStamp, digest)
}

/** @param {string[]} args */
function migrate(...args) {
  const { status } = spawnSync(process.execPath, ['build/migrate.mjs', ...args], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

const common = /** @type {const} */ ({
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  outdir: 'build',
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
})

/** @type {import('esbuild').BuildOptions} */
const programs = {
  ...common,
  entryPoints: [
    { in: 'scripts/programs/serve.ts', out: 'server' },
    ...['latchkey', 'doctor', 'accounts', 'migrate', 'healthy'].map((name) => ({
      in: `scripts/programs/${name}.ts`,
      out: name,
    })),
    { in: 'scripts/programs/dev/server.ts', out: 'dev-server' },
    { in: 'lib/database/sqlite/purge-worker.ts', out: 'purge-worker' },
  ],
  // Bundled, a package takes a fraction of the time and memory that its files take. These stay as they are: some find files of
  // theirs at run time, and Next and OpenTelemetry's API must be the one copy of this process.
  external: [
    'next',
    'piscina',
    'pino',
    '@photostructure/sqlite',
    '@prisma/adapter-pg',
    '@prisma/client/runtime/*.wasm-base64.mjs',
    '@opentelemetry/*',
  ],
  // Bundled CommonJS requires Node's modules.
  banner: {
    js: "import { createRequire as $createRequire } from 'node:module'; const require = $createRequire(import.meta.url);",
  },
  // A module that is imported on demand gets a file of its own; inlined, the packages that it imports would load at start.
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  sourcemap: true,
}

/**
 * Bundles what Node runs by itself: the command `latchkey`, the server, the doctor, the operators' commands, migrations, a
 * container's health check, the thread that purges, and the hash worker with bcryptjs inside. Beside them goes the list of common
 * passwords.
 */
export async function buildServer() {
  announce('Building the server')
  const digest = sourceDigest()
  // A build that fails from here on leaves files of two sources.
  rmSync(serverStamp, { force: true })
  for (const folder of ['build/chunks', 'build/compile-cache']) rmSync(folder, { recursive: true, force: true })
  await build(programs)
  await build({ ...common, entryPoints: ['lib/auth/passwords/hash-worker.ts'], entryNames: '[name]' })
  await writeCommonPasswords('build/common-passwords.txt')
  writeFileSync(serverStamp, digest)
  // `npm start` goes on in this process, and esbuild's own would stay beside it.
  await stop()
}

/** No shorter password is accepted, so none is in the list. */
const minLength = 8

/** MIT. Passwords come first, then words and names, with which and some digits most other passwords are made. */
const sources = [
  '@zxcvbn-ts/language-common/src/passwords.json',
  '@zxcvbn-ts/language-en/src/commonWords.json',
  '@zxcvbn-ts/language-en/src/wikipedia.json',
  '@zxcvbn-ts/language-en/src/firstnames.json',
  '@zxcvbn-ts/language-en/src/lastnames.json',
]

/** Among the 200 most used of 2023 to 2025, and in no source: providers' defaults, misread keyboards, slogans. */
const additions = [
  'admintelecom',
  'adminisp',
  'gvt12345',
  'turktelekom',
  'telecomadmin',
  'theworldinyourhand',
  'dearbook',
  'zag12wsx',
  '1g2w3e4r',
  'gwerty',
  '111222tianya',
  'g_czechout',
  'indya123',
  'meklozed',
  'cindylee',
  'eliska',
  'aboy1234',
  '868689849',
  '2402301978',
  'aa195043',
  'ar123455',
]

/**
 * Writes the list that new passwords are compared with: sorted lines, so that the server searches the file as it is.
 *
 * @param {string} file
 */
async function writeCommonPasswords(file) {
  const { linesFor } = await loadFold()
  const { resolve: find } = createRequire(import.meta.url)
  /** @type {string[]} */
  const entries = sources.flatMap((source) => JSON.parse(readFileSync(find(source), 'utf8')))
  const lines = new Set([...entries, ...additions].flatMap((entry) => linesFor(entry, minLength)))
  const sorted = [...lines].map((line) => Buffer.from(line)).sort(Buffer.compare)
  writeFileSync(file, Buffer.concat(sorted.flatMap((line) => [line, Buffer.from('\n')])))
}

/**
 * The server's own, because a line that is folded otherwise is never found.
 *
 * @returns {Promise<typeof import('../../lib/auth/passwords/common-passwords')>}
 */
const loadFold = () => importTypeScript('lib/auth/passwords/common-passwords.ts')
