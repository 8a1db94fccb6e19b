// `npm run tables`: writes what in docs/ is generated from code and data; with --check it only compares.
import { readFileSync } from 'node:fs'
import { toJSONSchema } from 'zod'
import { readOptions } from './support/command-line.mjs'
import { writeGenerated, writeGeneratedPart } from './support/generated-file.mjs'
import { importTypeScript, loadContract } from './support/import-typescript.mjs'

/** @typedef {import('../lib/known-apps').KnownApp} KnownApp */

const { registrationOf } = await importTypeScript('lib/known-apps.ts')

const fence = '```'

/** @param {string} language @param {string[]} lines */
const block = (language, lines) => `${fence}${language}\n${lines.join('\n')}\n${fence}`

/** @param {KnownApp} app */
function entry(app) {
  const { name, redirectUris, options, place, language, settings, remarks, needsEmail, pkce, ends, tried, documents } =
    app
  const quoted = /\s/.test(name) ? `"${name}"` : name
  const command = ['npm run accounts -- app add', quoted, ...redirectUris, ...options].join(' ')
  const paragraphs = [`### ${name}`, block('sh', [command]), `${place}:`, block(language, settings)]
  const facts = [
    ...(needsEmail ? ['Accounts need an e-mail address.'] : []),
    ...remarks,
    ...(pkce ? [`PKCE: ${pkce}.`] : []),
    ...(ends ? [`A disabled person is out ${ends}.`] : []),
    `[${name}'s own documents](${documents})${tried ? `; tried with ${tried}` : ''}`,
  ]
  const list = facts.map((line) => `- ${line}`).join('\n')
  return [...paragraphs, list].join('\n\n')
}

/** @type {{ apps: KnownApp[] }} */
const { apps } = JSON.parse(readFileSync('docs/apps.json', 'utf8'))

/** The list of known apps in docs/openid.md. */
const knownApps = () => `\n${apps.map(entry).join('\n\n')}\n`

/** An app as the file of `accounts apply` has it. @param {KnownApp} app */
function inFile(app) {
  const id = app.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const registration = registrationOf(app)
  const secret = { env: `${id.toUpperCase().replaceAll('-', '_')}_SECRET` }
  return { id, ...registration, ...(!registration.public && { secret }) }
}

/** As `npm run format` leaves it: texts of a list in one line where they fit. @param {unknown} value */
const json = (value) =>
  `${JSON.stringify(value, null, 2).replaceAll(
    /^( *)(.*)\[\n\s*("[^\]]*")\n\s*\](,?)$/gm,
    (whole, indent, before, items, comma) => {
      const line = `${indent}${before}[${items.replaceAll(/\n\s*/g, ' ')}]${comma}`
      return line.length <= 120 ? line : whole
    },
  )}\n`

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
  'session-and-maybe-step-up': ' ⁷',
  'step-up': ' ²',
  'step-up-if-session': ' ³',
  app: ' ⁴',
  bearer: ' ⁵',
  cron: ' ⁶',
  administrator: ' ⁸',
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

/** By heading, the file of lib/api/endpoints and its table. @type {[heading: string, file: string, table: string][]} */
const tables = [
  ['Signing up, in and out', 'sign-in', 'signInEndpoints'],
  ['The account', 'account', 'accountEndpoints'],
  ['Apps', 'apps', 'appEndpoints'],
  ['OpenID Connect', 'openid', 'openIdEndpoints'],
  ['Operators', 'admin', 'adminEndpoints'],
  ['The service', 'well-known', 'serviceEndpoints'],
  ['Well-known files', 'well-known', 'wellKnownEndpoints'],
]

/** The tables of endpoints in docs/api.md. */
async function endpointsTables() {
  const sections = []
  let left = rows
  for (const [heading, file, table] of tables) {
    const { [table]: operations } = await importTypeScript(`lib/api/endpoints/${file}.ts`)
    /** @param {Row} row */
    const isHere = ({ method, path }) => `${method} ${path}` in operations
    const head = [`### ${heading}`, '', '| endpoint | body | success | error codes | |', '|---|---|---|---|---|']
    sections.push([...head, ...left.filter(isHere).map(line)].join('\n'))
    left = left.filter((row) => !isHere(row))
  }
  if (left.length > 0) throw new Error(`No row of \`tables\` has ${left[0]?.path}.`)
  return sections.join('\n\n')
}

/** The pages for whoever works on an app, in the order in which they are needed. */
const pagesForAgents = [
  'your-app',
  'testing-your-app',
  'openid',
  'your-app/openid-connect',
  'your-app/people',
  'api',
  'settings',
  'accounts',
]

/** What coding agents read: what this is, how to be signed in while they work, and which page says what. */
function forAgents() {
  /** @param {string} page */
  const read = (page) => readFileSync(page, 'utf8')
  const [, about = ''] = read('README.md').split('\n\n')
  const titles = pagesForAgents.map((page) => {
    const [, title] = /^# (.*)$/m.exec(read(`docs/${page}.md`)) ?? []
    return `- [${title}](${page}.md)`
  })
  const dev = read('docs/dev.md').replaceAll(/^(#+ [A-Z])/gm, '#$1')
  return ['# Latchkey', `> ${about.replaceAll('\n', ' ')}`, '## Pages', titles.join('\n'), dev].join('\n\n')
}

const description =
  'Writes the tables of endpoints in docs/api.md, the known apps in docs/openid.md and docs/your-app/latchkey.json, docs/latchkey.schema.json and docs/llms.txt.'
const { check } = readOptions('npm run tables --', description, { '--check': 'only compare' })
const how = { check: check === true, command: 'npm run tables' }

writeGeneratedPart('docs/api.md', 'endpoints', await endpointsTables(), how)
writeGeneratedPart('docs/openid.md', 'apps', knownApps(), how)

writeGenerated('docs/llms.txt', forAgents(), how)

const { developersFile } = await importTypeScript('scripts/programs/dev/file.ts')
const about = {
  title: 'Apps and groups of Latchkey',
  description: 'The file of "accounts apply" and APPLY: docs/accounts.md; with people, of "latchkey dev": docs/dev.md',
}
writeGenerated('docs/latchkey.schema.json', json({ ...about, ...toJSONSchema(developersFile, { io: 'input' }) }), how)
writeGenerated('docs/your-app/latchkey.json', json({ $schema: '../latchkey.schema.json', apps: apps.map(inFile) }), how)
