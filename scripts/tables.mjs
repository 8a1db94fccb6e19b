// `npm run tables`: writes the table of endpoints of docs/api.md from lib/api/endpoints.ts, and the known apps of docs/openid.md
// from docs/apps.json; with --check it only compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { loadContract } from './support/contract.mjs'

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
  const { method, path, caller, body, bodyOptional, form, errors, oauth = [], summary } = row
  const cells = [
    `${method} \`${path}\`${callers[caller]}`,
    body ? (form ? 'form ' : '') + fields(body) + (bodyOptional ? ' or none' : '') : 'none',
    results(row),
    [...errors, ...oauth].map((code) => `\`${code}\``).join(', '),
    summary,
  ]
  return `| ${cells.join(' | ')} |`
}

const table = ['| endpoint | body | success | error codes | |', '|---|---|---|---|---|', ...rows.map(line)].join('\n')

/**
 * @typedef {object} KnownApp
 * @property {string} name
 * @property {string[]} redirectUris
 * @property {string[]} options of `app add`
 * @property {string[]} scopes what it asks for
 * @property {string} settings
 * @property {string} remark
 * @property {string} documents where its own documents are
 */

/** @param {KnownApp} app */
function entry({ name, redirectUris, options, settings, remark, documents }) {
  const quoted = /\s/.test(name) ? `"${name}"` : name
  const command = ['app add', quoted, ...redirectUris, ...options].join(' ')
  return `- **[${name}](${documents})**: \`${command}\`\\\n  ${settings}\\\n  ${remark}`
}

/** @type {{ apps: KnownApp[] }} */
const { apps } = JSON.parse(readFileSync('docs/apps.json', 'utf8'))

/**
 * Writes what stands between two marks of a document, or compares it.
 *
 * @param {string} file
 * @param {string} mark
 * @param {string} text
 */
function write(file, mark, text) {
  const [start, end] = [`<!-- ${mark}: npm run tables -->`, `<!-- /${mark} -->`]
  const document = readFileSync(file, 'utf8')
  const [before, rest] = document.split(start)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`${file} has no ${start} ... ${end}`)
  const updated = `${before}${start}\n${text}\n${end}${after}`
  if (!process.argv.includes('--check')) writeFileSync(file, updated)
  else if (updated !== document) throw new Error(`The ${mark} in ${file} are out of date: npm run tables`)
}

write('docs/api.md', 'endpoints', table)
write('docs/openid.md', 'apps', apps.map(entry).join('\n'))
