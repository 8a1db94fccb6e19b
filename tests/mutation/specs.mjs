import { readdirSync } from 'node:fs'
import { join, sep } from 'node:path'

/** The tests that need no browser, on the embedded database. */
const folders = ['unit', 'api', 'openid']

/** The specs whose tests try mutants, below `tests`, with `/`. @param {string} checkout */
export const specsIn = (checkout) =>
  folders.flatMap((folder) =>
    readdirSync(join(checkout, 'tests', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.spec.ts'))
      .map((name) => `${folder}/${name.replaceAll(sep, '/')}`)
      .sort(),
  )
