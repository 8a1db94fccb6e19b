import { loadContract } from '../support/contract.mjs'

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

/** The table of endpoints in docs/api.md. */
export const endpointsTable = () =>
  ['| endpoint | body | success | error codes | |', '|---|---|---|---|---|', ...rows.map(line)].join('\n')
