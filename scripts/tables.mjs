// `npm run tables`: writes the table of endpoints of docs/api.md from lib/api/endpoints.ts; with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { loadContract } from './contract.mjs'

const { isImage, isPage, nameOf, rows } = await loadContract()

/** @typedef {import('../lib/api/endpoints').Row} Row */

/** @param {import('zod').ZodType} schema */
function fields(schema) {
  if (isImage(schema)) return 'an image'
  if (isPage(schema)) return 'a page'
  const { shape } = /** @type {Partial<import('zod').ZodObject>} */ (schema)
  if (!shape) return `\`${nameOf(schema)}\``
  const names = Object.entries(shape).map(([name, field]) => (field._zod.optin !== undefined ? `${name}?` : name))
  return names.length <= 4 ? `\`{${names.join(', ')}}\`` : `\`${nameOf(schema)}\``
}

/** @param {Row} row */
const results = ({ results }) =>
  Object.entries(results)
    .map(([status, schema]) => (schema ? `${status} ${fields(schema)}` : status))
    .join(' or ')

const callers = {
  anyone: '',
  session: ' ¹',
  'session-or-step-up': ' ¹',
  'step-up': ' ²',
  'step-up-if-session': ' ³',
  app: ' ⁴',
  bearer: ' ⁵',
  cron: ' ⁶',
}

/** @param {Row} row */
function line(row) {
  const { method, path, caller, body, bodyOptional, errors, oauth = [], summary } = row
  const cells = [
    `${method} \`${path}\`${callers[caller]}`,
    body ? fields(body) + (bodyOptional ? ' or none' : '') : 'none',
    results(row),
    [...errors, ...oauth].map((code) => `\`${code}\``).join(', '),
    summary,
  ]
  return `| ${cells.join(' | ')} |`
}

const table = ['| endpoint | body | success | error codes | |', '|---|---|---|---|---|', ...rows.map(line)].join('\n')

const file = 'docs/api.md'
const [start, end] = ['<!-- endpoints: npm run tables -->', '<!-- /endpoints -->']
const document = readFileSync(file, 'utf8')
const [before, rest] = document.split(start)
const after = rest?.split(end)[1]
if (after === undefined) throw new Error(`${file} has no ${start} ... ${end}`)
const updated = `${before}${start}\n${table}\n${end}${after}`
if (!process.argv.includes('--check')) writeFileSync(file, updated)
else if (updated !== document) throw new Error(`The table of endpoints in ${file} is out of date: npm run tables`)
