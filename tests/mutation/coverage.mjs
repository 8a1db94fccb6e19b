// Which tests reach which mutants, from a run without a mutant. Each spec runs by itself, with servers of its own.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { copy, folder } from './instrument.mjs'
import { playwright } from './playwright.mjs'

/** @typedef {{ name: string, milliseconds: number, reaches: string[] }} Test `name` as --test-list calls it, `reaches`: keys of mutants */
/** @typedef {{ digest: string, tests: Test[], left: string[] }} Coverage `left`: tests that fail or are skipped without a mutant */

/**
 * Finds what a spec's tests reach, unless that is known from an earlier run.
 *
 * @param {string} spec
 * @param {{ mutants: import('./instrument.mjs').Mutant[], state: string }} product
 * @returns {Promise<Coverage>}
 */
export async function coverageOf(spec, { mutants, state }) {
  const text = readFileSync(join(copy, 'tests', spec), 'utf8')
  const digest = createHash('sha256').update(`${state}\0${text}`).digest('hex')
  const fileName = spec.replaceAll('/', '-')
  const kept = join(folder, 'coverage', `${fileName}.json`)
  if (existsSync(kept)) {
    /** @type {Coverage} */
    const known = JSON.parse(readFileSync(kept, 'utf8'))
    if (known.digest === digest) return known
  }
  const hits = join(folder, 'hits', fileName)
  rmSync(hits, { recursive: true, force: true })
  mkdirSync(hits, { recursive: true })
  const project = spec.startsWith('unit/') ? 'unit' : 'api'
  const { ran } = await playwright([`--project=${project}`, `tests/${spec}`], {
    env: { MUTANT_COVERAGE: hits },
  })
  const keys = new Map(mutants.map(({ id, key }) => [id, key]))
  const reached = reachedBy(ran, hits)
  const coverage = {
    digest,
    tests: ran
      .filter(({ outcome }) => outcome === 'passed')
      .map(({ name, duration }) => {
        const reaches = [...(reached.get(name) ?? [])].flatMap((id) => keys.get(id) ?? []).sort()
        return { name, milliseconds: duration, reaches }
      }),
    left: ran.filter(({ outcome }) => outcome !== 'passed').map(({ name }) => name),
  }
  mkdirSync(join(folder, 'coverage'), { recursive: true })
  writeFileSync(kept, JSON.stringify(coverage))
  rmSync(hits, { recursive: true, force: true })
  return coverage
}

/** @typedef {import('./playwright.mjs').Ran} Ran */

/**
 * @param {Ran[]} ran
 * @param {string} hits the folder that switch.mjs wrote to
 * @returns {Map<string, Set<string>>} ids of mutants by the name of a test
 */
function reachedBy(ran, hits) {
  const reached = new Map(ran.map(({ name }) => [name, /** @type {Set<string>} */ (new Set())]))
  for (const file of readdirSync(hits)) {
    const lines = readFileSync(join(hits, file), 'utf8').split('\n').filter(Boolean)
    const entries = lines.map((line) => line.split(' '))
    const end = Number(entries.find(([, phase]) => phase === 'end')?.[0] ?? Number.POSITIVE_INFINITY)
    for (const [time, phase, ...ids] of entries)
      for (const { name } of ownersOf(ran, Number(time), phase === 'test', end))
        for (const id of ids) reached.get(name)?.add(id)
  }
  return reached
}

/**
 * A hit belongs to the test that ran at that time, one after the other. What a process does at its start belongs to each
 * test that ran until its end, since what was made then may serve them all.
 *
 * @param {Ran[]} ran
 * @param {number} at
 * @param {boolean} byTest
 * @param {number} end of the process
 */
function ownersOf(ran, at, byTest, end) {
  // Their durations leave the start of a shared server out.
  const running = ran.findLastIndex(({ start }) => start <= at)
  if (byTest && running !== -1) return ran.slice(running, running + 1)
  return ran.slice(Math.max(running, 0)).filter(({ start }) => start <= end)
}
