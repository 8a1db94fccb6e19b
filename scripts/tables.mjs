// `npm run tables`: writes the parts of documents that are made from code and data; with --check it only compares.
import { readFileSync } from 'node:fs'
import { readOptions } from './command-line/read-options.mjs'
import { writeMadeFile } from './support/made-file.mjs'
import { endpointsTable } from './tables/endpoints.mjs'
import { knownApps } from './tables/known-apps.mjs'

const description =
  'Writes the table of endpoints in docs/api.md from lib/api/endpoints.ts, and the known apps in docs/openid.md from docs/apps.json.'
const { check } = readOptions('npm run tables --', description, { '--check': 'only compare' })

write('docs/api.md', 'endpoints', endpointsTable())
write('docs/openid.md', 'apps', knownApps())

/**
 * Puts a text between two marks of a document.
 *
 * @param {string} file
 * @param {string} mark
 * @param {string} text
 */
function write(file, mark, text) {
  const [start, end] = [`<!-- ${mark}: npm run tables -->`, `<!-- /${mark} -->`]
  const [before, rest] = readFileSync(file, 'utf8').split(start)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`${file} must have the marks ${start} and ${end}.`)
  const document = `${before}${start}\n${text}\n${end}${after}`
  writeMadeFile(file, document, { check: check === true, command: 'npm run tables' })
}
