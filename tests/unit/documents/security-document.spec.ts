import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { limits } from '@/lib/api/limits'
import { method } from '@/lib/api/schemas'
import { longestStreak } from '@/lib/auth/throttling/attempts'
import { waitAfter } from '@/lib/delivery/courier'
import { keptMilliseconds } from '@/lib/openid/tokens/claims'
import { readSettings } from '@/lib/settings/settings'

/* What docs/security.md says in sentences, where rows of docs/evidence/security-evaluation.md count on them. */

const document = readFileSync('docs/security.md', 'utf8')

/** A section's text in one line. */
function section(heading: string): string {
  const [, text = ''] = new RegExp(`^##+ ${heading}$(.*?)(?=^##)`, 'ms').exec(document) ?? []
  return text.replace(/\s+/g, ' ')
}

const defaults = () => {
  const { settings, faults } = readSettings({ JWT_SECRET: 'p2Hq9v0sX4nB7tKc1mZy6LrWfQeUaJdG3oViS8xTbNhC5kRw' })
  if (!settings) throw new Error(faults.join('\n'))
  return settings
}

const sources = ['app', 'components', 'lib']
  .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)))
  .concat('server.ts', 'proxy.ts', 'instrumentation.ts')
  .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !name.includes('generated'))

/** The number that a file gives a constant; one number, or a product. */
function constant(file: string, name: string): number {
  const [, expression = ''] = new RegExp(`const ${name} = ([\\d_ *]+)$`, 'm').exec(readFileSync(file, 'utf8')) ?? []
  expect(expression, `${file}: ${name}`).toMatch(/^[\d_]+( \* [\d_]+)*$/)
  return expression.split(' * ').reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1)
}

const filesWith = (pattern: RegExp) => sources.filter((file) => pattern.test(readFileSync(file, 'utf8'))).sort()

test('"Guessing" names the settings of each limit with their defaults, and what keeps owners from being locked out', () => {
  const { passwordMax, addressMax, windowMilliseconds } = defaults().rateLimit
  const text = section('Guessing')
  expect(text).toContain('Attempts are counted before a password is verified')
  expect(text).toContain(`\`RATE_LIMIT_LOGIN_MAX\` (${passwordMax})`)
  expect(text).toContain(`\`RATE_LIMIT_LOGIN_WINDOW\` (${windowMilliseconds / 60_000} minutes)`)
  expect(text).toContain(`\`RATE_LIMIT_ADDRESS_MAX\` (${addressMax})`)
  expect(text).toContain('ten times that for an IPv6 /48')
  expect(text).toContain(`after ${longestStreak} failures in a row browsers that the account does not know`)
  expect(text).toContain('it locks nobody out: a known browser has attempts of its own')
  expect(text).toContain('passkeys and recovery codes are not limited by account at all')
})

test('"Passwords" lists the words that a password may not be: what the code compares it with', () => {
  const rules = readFileSync('lib/auth/passwords/password-rules.ts', 'utf8')
  const [, compared = ''] = /function namesOf.*?return \[(.*?)\]\n/s.exec(rules) ?? []
  const words: Record<string, string> = {
    username: 'the username',
    mailbox: 'its part before `@`',
    appName: "the app's name",
    hosts: 'its hosts, with and without the port',
    rpId: 'the relying party id',
  }
  const names = compared.split(/, (?!'')/).map((name) => /\w+/.exec(name)?.[0])
  expect([...new Set(names)].sort()).toEqual(Object.keys(words).sort())
  for (const phrase of Object.values(words)) expect(section('Passwords')).toContain(phrase)
  expect(section('Passwords')).toContain(`\`PASSWORD_MIN_LENGTH\` is ${defaults().passwordMinLength}`)
})

test('"Ways in" has a row with strength and limits for each way in, and no other', () => {
  const [, table = ''] = /^## Ways in$\n\n.*\n\|[-|]+\|\n((?:\|.*\n)+)/m.exec(document) ?? []
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.slice(2, -2).split(' | '))
  const names: Record<string, string> = { pwd: 'password', recovery: 'recovery code' }
  expect(rows.map(([name]) => name).sort()).toEqual(method.options.map((option) => names[option] ?? option).sort())
  for (const [name, takes, strength, limit] of rows) {
    expect(takes, name).toMatch(/\w/)
    expect(strength, name).toMatch(/one factor|two factors/)
    expect(limit, name).toMatch(/failures per address/)
  }
})

test('"Sessions" has the lifetime, the reason for no inactivity timeout, and the number at once', () => {
  const text = section('Sessions')
  expect(text).toContain(
    `\`JWT_EXPIRES_IN\` (${defaults().sessionSeconds / 86_400} days; SP 800-63B-4 suggests at most 30`,
  )
  expect(text).toContain(
    'There is no inactivity timeout, which AAL1 does not require: a session records no more than the day',
  )
  const [, times = 0] =
    /perOwner = .* => (\d+) \* passwordMax/.exec(readFileSync('lib/auth/throttling/attempts.ts', 'utf8')) ?? []
  const most = Number(times) * defaults().rateLimit.passwordMax
  const kept = constant('lib/auth/sessions/issue.ts', 'maxSessions')
  expect(text).toContain(`An account may have ${kept.toLocaleString('en')} sessions at once`)
  expect(text).toMatch(new RegExp(`Up to ${most}\\s+sign-ins in 15 minutes succeed \\(${times} times`))
  expect(text).toMatch(new RegExp(`see at most ${limits.sessions}\\s+of them`))
})

test('"Limits" has the numbers that the code has', () => {
  const numberIn = (file: string, pattern: RegExp) => {
    const [, number = ''] = pattern.exec(readFileSync(file, 'utf8')) ?? []
    return Number(number.replaceAll('_', ''))
  }
  const [hashes, connections] = ['lib/auth/passwords/hash-queue.ts', 'lib/http/server/connections.ts']
  const seconds = (file: string, name: string) => numberIn(file, new RegExp(`const ${name} = ([\\d_]+)`)) / 1000
  const pages = (share: string) => numberIn('lib/http/server/pages.ts', new RegExp(`\\b${share}: (\\d+)`))
  const head = (name: string) => numberIn('lib/http/server/next.ts', new RegExp(`\\b${name}: ([\\d_]+)`))
  const wait = seconds('lib/api/limits.ts', 'longestWaitMilliseconds')
  const rows = [
    `| passkeys of an account | ${limits.passkeys} |`,
    `| body of a request to the API | ${limits.body / 1024} KiB | 413 |`,
    `that is not to the API | ${head('cookies')}, ${head('parameters')} and ${head('arrays')} | 400 |`,
    `times the characters of all | ${new Intl.NumberFormat('en').format(head('characters'))} | 400 |`,
    `| ${wait} seconds, ${seconds(hashes, 'longestExpectedMilliseconds')} of them foreseen where more than ${numberIn(hashes, /fewHashes = (\d+)/)} hashes are ahead | 503,`,
    `| pages rendered at once | ${pages('places')}, for an address ${pages('perAddress')} |`,
    `| requests of a connection before the first is answered | ${numberIn(connections, /maxUnanswered = (\d+)/)} |`,
    `| a response that is not read | ${seconds(connections, 'stalledMilliseconds')} seconds |`,
    `| usernames that an account has had | ${limits.usernames} | 400 |`,
  ]
  for (const row of rows) expect(section('Limits')).toContain(row)
})

test('"Limits" has the numbers of apps and receivers that the code has', () => {
  const requests = (file: string, name: string) => constant(`lib/openid/requests/${file}.ts`, name) / 60
  const issued = (file: string, name: string) => constant(`lib/openid/tokens/${file}.ts`, name) / 1000
  const courier = (name: string) => constant('lib/delivery/courier.ts', name)
  const waits = Array.from({ length: 99 }, (_, before) => waitAfter(before + 1)).filter((wait) => wait !== null)
  const [times, hours] = [waits.length, Math.floor(waits.reduce((sum, wait) => sum + wait) / 3_600_000)]
  const rows = [
    `| ${requests('interaction', 'interactionSeconds') / 1440} days, ${requests('consent', 'appRequestSeconds')} and ${requests('interaction', 'consentSeconds')} minutes |`,
    `| an app's request by POST | ${constant('lib/http/resources/openid.ts', 'longestForm') / 1024} KiB | 413 |`,
    `| the \`nonce\` of an app's request | ${limits.nonce} characters |`,
    `| a code, and its row | ${issued('codes', 'codeMilliseconds')} seconds, and ${keptMilliseconds / 3_600_000} hours |`,
    `| a refresh token, and its family | ${issued('refresh-tokens', 'idleMilliseconds') / 86_400} days unused, and ${issued('refresh-tokens', 'maxFamilyMilliseconds') / 86_400} |`,
    `| attempts to deliver under way in a process | ${courier('maxAttempts')}; to one receiver ${courier('busyAt')}, up to ${courier('busyAt') - 1 + courier('maxClaimed')} by`,
    `| ${constant('lib/api/limits.ts', 'attemptMilliseconds') / 1000} seconds | it is tried again, up to ${times} times in ${hours} hours;`,
    `| a call of \`/api/deliver\` | ${constant('lib/api/limits.ts', 'roundMilliseconds') / 1000} seconds,`,
  ]
  for (const row of rows) expect(section('Limits')).toContain(row)
  expect(section('Limits')).toContain(
    `purged after ${constant('lib/delivery/outbox.ts', 'keptMilliseconds') / 86_400_000} days`,
  )
})

test('"What it connects to" names each setting that code connects by, and nothing else of ours opens a connection', () => {
  const client =
    /^import (?!type )[^;\n]* from '(?:ioredis|pg|undici|@upstash\/redis|@prisma\/adapter-pg|node:(?:https|net|tls|dgram|http2|dns))'|import\('@opentelemetry\/exporter|\bhttp\.request\(|import \* as http /m
  const settingOf: Record<string, string> = {
    'lib/database/postgresql/client.ts': 'DATABASE_URL',
    'lib/rate-limit/redis-tcp.ts': 'REDIS_URL',
    'lib/rate-limit/redis-rest.ts': 'UPSTASH_REDIS_REST_URL',
    'lib/http/remote-backend.ts': 'BACKEND_URL',
    'lib/delivery/receiver.ts': 'WEBHOOK_URL',
    'lib/telemetry/sdk.ts': 'OTEL_EXPORTER_OTLP_ENDPOINT',
  }
  // Take addresses apart, and connect nowhere.
  const withoutConnection = [
    ...['lib/delivery/addresses.ts', 'lib/http/request/addresses.ts', 'lib/openid/apps/client-documents.ts'],
    'lib/settings/client-apps.ts',
  ]
  expect(filesWith(client)).toEqual([...Object.keys(settingOf), ...withoutConnection].sort())
  // In browsers, to our own origin: `connect-src` is `'self'`.
  expect(filesWith(/(?<![.\w])fetch\(|new WebSocket|new EventSource|XMLHttpRequest/)).toEqual([
    'lib/browser/failures/connection.ts',
    'lib/browser/requests/post.ts',
  ])
  for (const setting of Object.values(settingOf)) expect(section('What it connects to')).toContain(`\`${setting}\``)
  // Back channels stand in the database, where an operator's command has put them.
  expect(filesWith(/\bcallReceiver\(/)).toEqual(['lib/auth/events/webhooks.ts', 'lib/openid/logout.ts'])
  expect(filesWith(/\bfetchBytes\(/)).toEqual(['lib/openid/apps/icon.ts'])
  expect(filesWith(/\bfetchForStranger\(/)).toEqual(['lib/openid/apps/client-documents.ts'])
  expect(section('What it connects to')).toContain('`CLIENT_DOCUMENTS`')
  for (const option of ['back-channel', 'icon'])
    expect(section('What it connects to')).toContain(`\`--${option}\` of \`app add\``)
})

test('no code is made of text, no markup is set unescaped, and no program is started', () => {
  expect(filesWith(/(?<![.\w]|async )eval\(|new Function\(|node:vm|set(?:Timeout|Interval)\(['"`]/)).toEqual([])
  const markup = /dangerouslySetInnerHTML|\b(?:inner|outer)HTML\b|insertAdjacentHTML|document\.write|srcDoc/
  expect(filesWith(markup)).toEqual([])
  expect(filesWith(/child_process/)).toEqual([])
})

test('statements are templates whose values are parameters; whole texts are made by the database folder alone', () => {
  expect(filesWith(/RawUnsafe|Prisma\.(?:raw|sql)/)).toEqual([])
  // They take a template, not a text.
  expect(filesWith(/\$(?:query|execute)Raw\(/)).toEqual(['lib/database/sql.ts'])
  // A fragment is a template, but where it is composed of others.
  expect(filesWith(/\bsql\(/)).toEqual(['lib/database/sql.ts'])
  expect(filesWith(/\btexts: /)).toEqual(['lib/database/sql.ts'])
  expect(filesWith(/new Fragment\(/)).toEqual(['lib/database/sql.ts'])
  expect(filesWith(/\bcomposed\(/)).toEqual(['lib/database/sql.ts'])
  const texts = filesWith(/\bargs: \[|\.(?:queryRaw|executeRaw|executeScript)\(/)
  expect(texts.filter((file) => !file.startsWith('lib/database/'))).toEqual([])
})
