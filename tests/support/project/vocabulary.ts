import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What the product is made of: its code, and the text that goes with it. */
const sources = ['app', 'components', 'lib', 'scripts', 'tests', 'instrumentation.ts', 'proxy.ts', 'server.ts']
const documents = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', '.env.example', 'docs']
/** Besides what others wrote: the databases of earlier versions, and this check, which names what it rejects. */
const skipped =
  /(^|\/)(generated|node_modules|upgrades\/\d+\w+)\/|\.(png|ico|svg|woff2|sql)$|package-lock\.json$|^tests\/\S+\/vocabulary(\.spec)?\.ts$/

/** Names that callers, tokens, settings and databases already hold: they never change for style. */
const wireNames = [
  /\/auth\/login\b/g,
  /RATE_LIMIT_LOGIN_(WINDOW|MAX)/g,
  /((Token|Challenge)\(|(?:Claims|Challenge)<|\| )'login'/g,
  /^ {2}login: \w+\.extend/g,
  /login\+jwt/g,
  /["']SpentToken["']|\bSpentToken:/g,
  // OpenID Connect.
  /prompt=login\b|\bprompt: '(none )?login'|'(prompt-login|login-hint)'|\boidcc-[\w-]+|'login'(?=[,)])|login consent|\blogin_(required|hint)\b|\bloginHint\b/g,
  // Addresses and settings of known apps.
  /example\.com\/login\b|\/login\/callback\b|\blogin_attribute_path\b/g,
  // The answer of `accounts import --json`.
  /\brefused(?=: |\.push|\.sort)|\banswer\.refused\b/g,
  // Names of browsers, of Node, of PgBouncer, of PostgreSQL and of oidc-provider.
  /server_login_retry|QuotaExceededError|E(CONN|RR_CONNECTION)_?REFUSED|get_login_creds|\bonce\((?=[\w.]+(\([^()]*\))?, ')/g,
  /CREATE ROLE \S+ LOGIN\b|\blogin: person\b/g,
]

interface Retired {
  /** `word` is searched in text and in identifiers taken apart, `code` in the unchanged line. */
  word?: RegExp
  code?: RegExp
  instead: string
}

/** `| word | meaning | not |`, a row of CONTRIBUTING's glossary. */
const row = /^(\| (.+?) \| .+? \|) (.*?) ?\|$/gm

function anyForm(word: string): string {
  if (word === 'a') return '(a|an|each|every|one)'
  return word.endsWith('e') ? `${word.slice(0, -1)}(e|es|ed|ing)` : `${word}(s|es|ed|ing)?`
}

/** The pattern of a phrase, in lower-case text with identifiers taken apart, or of a call of a function. */
function patternOf(entry: string): Pick<Retired, 'word' | 'code'> {
  const [, called] = /^`(\w+)\(\)`$/.exec(entry) ?? []
  if (called) return { code: new RegExp(`(?<![.\\w])${called}\\(`) }
  return { word: new RegExp(`\\b${inWords(entry).split(' ').map(anyForm).join(' ')}\\b`) }
}

/** What the glossary's last column rejects. A word that several rows reject may be any of theirs. */
function retiredBy(glossary: string): Retired[] {
  const [, ...rows] = [...glossary.matchAll(row)].map(([, , own = '', not = '']) => ({ own, not: not.split(', ') }))
  const entries = new Set(rows.flatMap(({ not }) => not).filter(Boolean))
  return [...entries].map((entry) => {
    const concepts = rows.filter(({ not }) => not.includes(entry)).map(({ own }) => own)
    return { ...patternOf(entry), instead: concepts.join(' or ') }
  })
}

/** A shape of code, which no word of a glossary describes. */
const retiredShape: Retired = {
  code: /= await database\(\)(?<!\bdb = await database\(\))/,
  instead: 'db, for the Prisma client',
}

const filesBelow = (root: string, path: string): string[] => {
  const found = statSync(join(root, path), { throwIfNoEntry: false })
  if (!found || skipped.test(path)) return []
  if (!found.isDirectory()) return [path]
  return readdirSync(join(root, path)).flatMap((name) => filesBelow(root, `${path}/${name}`))
}

/** `revokeSessionToken`, `SESSION_TOKEN` and `session-token` as words. */
const inWords = (line: string) =>
  line
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/[-_]/g, ' ')
    .toLowerCase()

/** The glossary, whose last column may say what it rejects. */
const glossaryFile = 'CONTRIBUTING.md'
const glossaryOf = (text: string) => /(?<=^## Words$).*?(?=^## )/ms.exec(text)?.[0] ?? ''
const withoutLastColumn = (text: string) => text.replace(glossaryOf(text), (glossary) => glossary.replace(row, '$1'))

/**
 * Every use of a retired word in the product below `root`.
 *
 * @returns one line each: `file:line: "word", say instead: the line`
 */
export function retiredWords(root: string): string[] {
  const retired = [...retiredBy(glossaryOf(readFileSync(glossaryFile, 'utf8'))), retiredShape]
  return [...sources, ...documents]
    .flatMap((path) => filesBelow(root, path))
    .flatMap((path) => {
      const text = readFileSync(join(root, path), 'utf8')
      return retiredWordsOf(path, path === glossaryFile ? withoutLastColumn(text) : text, retired)
    })
}

function retiredWordsOf(path: string, text: string, retired: Retired[]): string[] {
  const found = (line: string, number: number) => {
    const own = wireNames.reduce((rest, name) => rest.replace(name, ' '), line)
    const words = inWords(own)
    return retired.flatMap(({ word, code, instead }) => {
      const [match] = word?.exec(words) ?? code?.exec(own) ?? []
      return match === undefined ? [] : [`${path}:${number}: "${match}", say ${instead}: ${line.trim()}`]
    })
  }
  return [...found(path, 0), ...text.split('\n').flatMap((line, index) => found(line, index + 1))]
}
