import { loadContract } from '../support/contract.mjs'
import { importTypeScript } from '../support/import-typescript.mjs'

const { isImage, isPage, nameOf, rows } = await loadContract()

/** @typedef {import('../../lib/api/endpoints').Row} Row */

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
  'session-and-maybe-step-up': ' ⁷',
  'step-up': ' ²',
  'step-up-if-session': ' ³',
  app: ' ⁴',
  bearer: ' ⁵',
  cron: ' ⁶',
}

/** @param {Row} row */
function line(row) {
  const { method, path, caller, body, bodyOptional, form, errors, oauth, summary } = row
  const cells = [
    `${method} \`${path}\`${callers[caller]}`,
    body ? (form ? 'form ' : '') + fields(body) + (bodyOptional ? ' or none' : '') : 'none',
    results(row),
    (errors ?? oauth).map((code) => `\`${code}\``).join(', '),
    summary,
  ]
  return `| ${cells.join(' | ')} |`
}

/** The files of lib/api/endpoints, and their headings. */
const headings = {
  'sign-in': 'Signing up, in and out',
  account: 'The account',
  apps: 'Apps',
  openid: 'OpenID Connect',
  service: 'The service',
  'well-known': 'Well-known files',
}

/** @param {string} file */
async function operationsIn(file) {
  const [table = {}] = Object.values(await importTypeScript(`lib/api/endpoints/${file}.ts`))
  return new Set(Object.keys(table))
}

/** The tables of endpoints in docs/api.md. */
export async function endpointsTables() {
  const sections = []
  let left = rows
  for (const [file, heading] of Object.entries(headings)) {
    const operations = await operationsIn(file)
    /** @param {Row} row */
    const isHere = ({ method, path }) => operations.has(`${method} ${path}`)
    const head = [`### ${heading}`, '', '| endpoint | body | success | error codes | |', '|---|---|---|---|---|']
    sections.push([...head, ...left.filter(isHere).map(line)].join('\n'))
    left = left.filter((row) => !isHere(row))
  }
  if (left.length > 0) throw new Error(`No file in \`headings\` has ${left[0]?.path}.`)
  return sections.join('\n\n')
}
