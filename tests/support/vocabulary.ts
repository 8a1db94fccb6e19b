import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What the product is made of: its code, and the text that goes with it. */
const sources = ['app', 'components', 'lib', 'scripts', 'instrumentation.ts', 'proxy.ts', 'server.ts']
const documents = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', '.env.example', 'docs']
const skipped = /(^|\/)generated\/|\.(png|ico|svg|woff2)$/

/** Names that callers, tokens, settings and databases already hold: they never change for style. */
const wireNames = [
  /\/auth\/login\b/g,
  /RATE_LIMIT_LOGIN_(WINDOW|MAX)/g,
  /((Token|Challenge)\(|Claims<|\| )'login'/g,
  /^ {2}login: \w+\.extend/g,
  /login\+jwt/g,
  /["']SpentToken["']/g,
  // The answer of `accounts import --json`.
  /\brefused(?=: |\.push|\.sort)/g,
  // Names of browsers, of Node and of PgBouncer.
  /server_login_retry|QuotaExceededError|ECONNREFUSED|get_login_creds|await once\(/g,
]

/** Words that one concept used to have besides its own, as they stand in lower-case text with identifiers taken apart. */
const retired: [word: RegExp, instead: string][] = [
  [/\blogins?\b/, 'authentication (passkey) or sign-in (password)'],
  [/\bspen(d|ds|ding|t)\b/, 'consume (challenge, code) or revoke (session)'],
  [/\bquotas?\b/, 'policy or rate limit'],
  [/\bguesses\b|\b(a|each|every|one) guess\b/, 'attempt'],
  [/\bg(i|a)ven?s? back\b|\bgiving back\b/, 'refund'],
  [/\brefus(e|es|ed|ing|als?)\b/, 'reject, or ApiError and errorResponse()'],
  [/\boutages?\b|\bout of order\b/, 'circuit breaker, or unavailable'],
  [/\bputs? off\b|\bputting off\b/, 'dismiss'],
  [/\bbarriers?\b/, 'passkey support, unsupportedReason'],
  [/\bfront ends? (deployed )?apart\b|\bdeployed apart\b/, 'split deployment'],
  [/\bstated? (client )?address(es)?\b/, 'signClientAddress, verifyClientAddress'],
  [/\bunasked\b/, 'conditional create'],
  [/\bfresh sign ?in\b|\bconfirm(s|ed|ing)? identity\b|\bconfirming\b/, 'reauthenticate, step-up'],
  [/(?<![.\w])later\(/, 'afterResponse'],
  [/(?<![.\w])once\(/, 'singleton'],
  [/= await database\(\)(?<!\bdb = await database\(\))/, 'db, for the Prisma client'],
]

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

/**
 * Every use of a retired word in the product below `root`.
 *
 * @returns one line each: `file:line: "word", say instead: the line`
 */
export function retiredWords(root: string): string[] {
  return [...sources, ...documents]
    .flatMap((path) => filesBelow(root, path))
    .flatMap((path) => retiredWordsOf(path, readFileSync(join(root, path), 'utf8')))
}

function retiredWordsOf(path: string, text: string): string[] {
  const found = (line: string, number: number) => {
    const words = inWords(wireNames.reduce((rest, name) => rest.replace(name, ' '), line))
    return retired.flatMap(([word, instead]) => {
      const [match] = word.exec(words) ?? []
      return match === undefined ? [] : [`${path}:${number}: "${match}", say ${instead}: ${line.trim()}`]
    })
  }
  return [...found(path, 0), ...text.split('\n').flatMap((line, index) => found(line, index + 1))]
}
