// `npm run licences`: the licences of what `npm ci --omit=dev` installs, by the lock file; fails on one that is not in the list.
import { readFileSync } from 'node:fs'
import { readOptions } from './support/command-line.mjs'

readOptions(
  'npm run licences --',
  'Lists the licences of what the service runs with and what builds it; fails on one that is not in its list.',
)

/** Those that ask for no more than a notice, and MPL, which asks for the source of changes to its own files. */
const accepted = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'MPL-2.0',
  'Unlicense',
  'MIT and ISC',
  '(MIT OR Apache-2.0)',
])

/** Packages whose package.json names none, by the licence in their own files. @type {Record<string, string>} */
const byTheirFiles = { 'seq-queue': 'MIT' }

/** @type {{ packages: Record<string, { dev?: boolean, license?: string }> }} */
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
/** @type {Map<string, Set<string>>} by licence */
const names = new Map()
for (const [path, { dev, license }] of Object.entries(packages)) {
  if (path === '' || dev) continue
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const own = license ?? byTheirFiles[name] ?? 'none'
  names.set(own, (names.get(own) ?? new Set()).add(name))
}

for (const [license, owners] of [...names].sort(([, one], [, other]) => other.size - one.size)) {
  const listed = owners.size <= 12 ? `: ${[...owners].sort().join(', ')}` : ''
  console.log(`${String(owners.size).padStart(4)} ${license}${listed}`)
}
const others = [...names.keys()].filter((license) => !accepted.has(license))
if (others.length > 0) {
  console.error(
    `Not among the accepted licences: ${others.join(', ')}. Read the licence; if it asks for no more than a notice, add it to scripts/licences.mjs.`,
  )
  process.exitCode = 1
}
