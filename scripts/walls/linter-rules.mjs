import { existsSync } from 'node:fs'
import { dirname, posix } from 'node:path'
import { rooms } from './rooms.mjs'

/** @typedef {import('./rooms.mjs').Room} Room */

const table = 'scripts/walls/rooms'

/** @param {Room} row */
const isFile = ({ room }) => /\.\w+$/.test(room)

/** The folders whose files make up a room, or the pattern of its files. @param {Room} row */
const foldersOf = ({ room, inner = [] }) => [room, ...inner.map((folder) => `${room}/${folder}`)]

/** @param {string} path */
const withoutExtension = (path) => path.replace(/\.\w+$/, '')

/**
 * What importing a room means, as paths from the root: `lib/auth/*`, `lib/telemetry/start`, `lib/lifecycle`.
 *
 * @param {Room} row
 */
function targetsOf(row) {
  if (isFile(row)) return [withoutExtension(row.room)]
  if (row.door) return row.door.map((name) => `${row.room}/${name}`)
  return foldersOf(row).map((folder) => `${folder}/*`)
}

/**
 * The row that an arrow leads to, which lies below the arrow's own, so that no arrows form a circle.
 *
 * @param {Room} from
 * @param {string} name
 */
function rowBelow(from, name) {
  const below = rooms.slice(rooms.indexOf(from) + 1)
  const row = below.find(({ room }) => room === name) ?? below.find((row) => foldersOf(row).includes(dirname(name)))
  if (!row) throw new Error(`${table}: ${from.room} names ${name}, which is no row below it`)
  return row
}

/** What `imports` leads to, directly and through others. @param {Room} row @returns {string[]} */
const passedOn = (row) =>
  (row.imports ?? []).flatMap((name) => {
    const target = rowBelow(row, name)
    return [...targetsOf(target), ...passedOn(target)]
  })

/** Everything that a room may import. @param {Room} row */
function reachOf(row) {
  const only = (row.importsOnly ?? []).flatMap((name) => {
    const target = rowBelow(row, name)
    return target.room === name ? targetsOf(target) : [name]
  })
  return [...new Set([...only, ...passedOn(row)])]
}

/**
 * Imports between rooms begin with `@/`. Relative ones stay within a folder of `lib` or `components`; programs, which
 * Node may run without a bundler, have no other.
 *
 * @param {string} folder
 * @param {string} target
 */
function spellings(folder, target) {
  const topOf = (/** @type {string} */ path) => path.split('/', 2).join('/')
  const isRelated = topOf(folder) === topOf(target) || !/^(lib|components|app)\//.test(folder)
  const relative = posix.relative(folder, target)
  return [`!@/${target}`, ...(isRelated ? [`!${relative.startsWith('.') ? relative : `./${relative}`}`] : [])]
}

/** @param {Room} row */
function messageOf(row) {
  const list = [...(row.imports ?? []), ...(row.importsOnly ?? []), ...(row.packages ?? [])].join(', ')
  const rest = row.imports && !row.packages ? ' and what these import' : ''
  return [`${row.room} imports ${list || 'nothing'}${rest} (${table}).`, row.why].filter(Boolean).join(' ')
}

/** @param {string[]} includes @param {string[]} group @param {string} message */
const override = (includes, group, message) => ({
  includes,
  linter: {
    rules: { style: { noRestrictedImports: { level: 'error', options: { patterns: [{ group, message }] } } } },
  },
})

/**
 * The rules of a room, one for each of its folders. The last pattern that matches an import decides.
 *
 * @param {Room} row
 */
function overridesOf(row) {
  const packages = row.packages
    ? ['**', ...row.packages.map((name) => `!${name}`)]
    : (row.without ?? []).flatMap((name) => [name, `${name}/**`])
  return foldersOf(row).map((place) => {
    const folder = isFile(row) ? dirname(place) : place
    const own = isFile(row) ? [] : foldersOf(row).map((room) => `${room}/*`)
    const beside = row.room.includes('*') ? ['!./*'] : []
    const allowed = [...beside, ...[...own, ...reachOf(row)].flatMap((target) => spellings(folder, target))]
    const group = [...packages, '@/**', '../**', './**', ...allowed]
    return override([isFile(row) ? place : `${place}/*`], group, messageOf(row))
  })
}

/** The linter's rules about imports, as Biome's configuration has them. @throws Error if the table names what there is not */
export function linterRules() {
  const missing = rooms.filter(({ room }) => !room.includes('*') && !existsSync(room)).map(({ room }) => room)
  if (missing.length > 0) throw new Error(`${table}: nothing is at ${missing.join(', ')}`)
  const homeless = override(
    ['app/**', 'components/**', 'lib/**', 'scripts/**'],
    ['**'],
    `This folder has no row in ${table}.`,
  )
  // A file with a row of its own comes after its folder, because the last override counts.
  const inOrder = [...rooms.filter((row) => !isFile(row)), ...rooms.filter(isFile)]
  const lines = [homeless, ...inOrder.flatMap(overridesOf)].map((row) => JSON.stringify(row))
  return `{ "overrides": [\n${lines.join(',\n')}\n] }\n`
}
