import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'

/** The tests that need no browser, on the embedded database. */
const projects = ['unit', 'api', 'openid']

/** The specs whose tests try mutants, below `tests`, with `/`. @param {string} checkout */
export const specsIn = (checkout) =>
  projects.flatMap((project) =>
    readdirSync(join(checkout, 'tests', project), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.spec.ts'))
      .map((name) => `${project}/${name.replaceAll(sep, '/')}`)
      .sort(),
  )
