// The last step of scripts/image.sh: `node deployed-tree.mjs SOURCE BUNDLED...`, in the folder that it has copied what runs to.
// Makes of it what an image holds and what npm packs.
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'

const [source = '', ...bundled] = process.argv.slice(2)

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'))
/** @param {string} file @param {object} value */
const writeJson = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
/** @param {string} folder @param {RegExp} name @returns {string[]} */
const filesUnder = (folder, name) =>
  !existsSync(folder)
    ? []
    : readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory() && name.test(entry.name))
        .map((entry) => join(entry.parentPath, entry.name))

dropRoutes()
replaceLinks()
describePackages()
keepLicences()

/**
 * Leaves out Next's copies of our endpoints, which server.ts answers by the bundle of its own: 26 MB, since Next makes a chunk
 * with all it needs for each route file. What a fork adds stays, as do pages.
 */
function dropRoutes() {
  const traces = filesUnder('.next', /\.nft\.json$/)
  /** @param {string} trace @returns {string[]} */
  const tracedBy = (trace) => readJson(trace).files.map((/** @type {string} */ file) => join(dirname(trace), file))
  // An upgrade of Next must not move a file that its server loads among those which scripts/image.sh leaves out.
  const missing = traces
    .flatMap(tracedBy)
    .filter((file) => /^(\.next|node_modules\/next)\//.test(file) && !existsSync(file))
  if (missing.length > 0)
    throw new Error(`scripts/image.sh leaves out what the server loads:\n${[...new Set(missing)].join('\n')}`)
  const manifest = '.next/app-path-routes-manifest.json'
  const table = join(source, 'app/handlers.ts')
  if (!existsSync(manifest) || !existsSync(table)) return
  const answered = new Set([...readFileSync(table, 'utf8').matchAll(/^ {2}'(\/.*)': /gm)].map(([, path]) => path))
  // What answers every other path below /api with 404, as server.ts does.
  answered.add('/api/[...path]')
  /** @param {[file: string, path: string]} route */
  const isAnswered = ([file, path]) => file.endsWith('/route') && answered.has(path)
  const routes = Object.entries(readJson(manifest))
    .filter(isAnswered)
    .map(([file]) => join('.next/server/app', file))
  const dropped = new Set(routes.map((route) => `${route}.js.nft.json`))
  const loaded = new Set(traces.filter((trace) => !dropped.has(trace)).flatMap(tracedBy))
  for (const chunk of filesUnder('.next/server/chunks', /\.js$/)) if (!loaded.has(chunk)) rmSync(chunk)
  for (const route of routes) {
    rmSync(`${route}.js`)
    rmSync(`${route}_client-reference-manifest.js`, { force: true })
  }
  // They are for hosts of single functions.
  for (const trace of traces) rmSync(trace)
}

/**
 * Names the packages that stay outside Next's build as everybody does. The build names them by links, such as
 * `pino-28069d5257187539`, which npm leaves out of a package without a word.
 */
function replaceLinks() {
  const links = filesUnder('.next/node_modules', /./).filter((file) => lstatSync(file).isSymbolicLink())
  const names = links.map((link) => ({
    alias: link.slice('.next/node_modules/'.length),
    name: /node_modules\/(.+)$/.exec(readlinkSync(link))?.[1] ?? '',
  }))
  for (const file of filesUnder('.next/server', /\.js$/)) {
    const text = readFileSync(file, 'utf8')
    const named = names.reduce((before, { alias, name }) => before.replaceAll(alias, name), text)
    if (named !== text) writeFileSync(file, named)
  }
  rmSync('.next/node_modules', { recursive: true, force: true })
}

/**
 * Names every package at the top as a bundled dependency, so that an installation fetches none; npm would add what a package
 * names and the tree lacks, and run the scripts of those that have some.
 */
function describePackages() {
  const manifests = filesUnder('node_modules', /^package\.json$/)
  for (const manifest of manifests) {
    const { scripts, devDependencies, peerDependencies, peerDependenciesMeta, gypfile, bin, os, cpu, libc, ...about } =
      readJson(manifest)
    for (const kind of ['dependencies', 'optionalDependencies']) {
      if (!about[kind]) continue
      const kept = Object.entries(about[kind]).filter(([name]) => isInstalled(name, dirname(manifest)))
      about[kind] = Object.fromEntries(kept)
    }
    writeJson(manifest, about)
  }
  for (const file of filesUnder('node_modules', /^binding\.gyp$/)) rmSync(file)
  const names = readdirSync('node_modules')
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@') ? readdirSync(join('node_modules', name)).map((inner) => `${name}/${inner}`) : name,
    )
  const { private: _, overrides, scripts, devDependencies, ...about } = readJson('package.json')
  const versions = names.map((name) => [name, readJson(join('node_modules', name, 'package.json')).version])
  writeJson('package.json', {
    ...about,
    bin: { latchkey: 'build/latchkey.mjs' },
    files: ['.next', 'build', 'docs', 'next.config.mjs', 'prisma', 'public'],
    dependencies: Object.fromEntries(versions),
    bundleDependencies: names,
  })
  rmSync('package-lock.json', { force: true })
}

/** Whether a package in this folder finds another one. @param {string} name @param {string} folder @returns {boolean} */
function isInstalled(name, folder) {
  const places = resolve(folder).split('/node_modules')
  return places.some((_, index) =>
    existsSync(join(places.slice(0, index + 1).join('/node_modules'), 'node_modules', name)),
  )
}

/** Collects the licences of what is inside the bundles, whose packages are left out. */
function keepLicences() {
  /** @type {Map<string, string>} */
  const texts = new Map()
  /** @param {string} name */
  const collect = (name) => {
    const folder = join(source, 'node_modules', name)
    if (texts.has(name) || existsSync(join('node_modules', name)) || !existsSync(join(folder, 'package.json'))) return
    const { version, license, dependencies = {} } = readJson(join(folder, 'package.json'))
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file))
    const text = files.map((file) => readFileSync(join(folder, file), 'utf8').trim()).join('\n\n')
    texts.set(name, `${name} ${version} (${license})\n\n${text}\n`)
    for (const dependency of Object.keys(dependencies)) collect(dependency)
  }
  for (const name of bundled) collect(name)
  writeFileSync('build/licences.txt', [...texts.values()].join(`\n${'-'.repeat(80)}\n\n`))
}
