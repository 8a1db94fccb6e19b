import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'

test('the example of the passkey fixture is a test that the browser project runs', () => {
  const [, example] = /```ts\n(.*?)```/s.exec(readFileSync('tests/passkey-fixture/README.md', 'utf8')) ?? []
  // Ours also needs the address of the server under test.
  expect(example?.replace('./passkeys', '../../support/browser/pages')).toBe(
    readFileSync('tests/browser/passkeys/passkey-example.spec.ts', 'utf8'),
  )
})

/** Patterns of the titles in a spec, of tests and of what they are grouped by; each value in a title may be any text. */
const titlesOf = (file: string) =>
  [...readFileSync(file, 'utf8').matchAll(/\btest(?:\.describe)?\(\s*(['"`])((?:\\.|(?!\1).)+)\1/gs)].map(
    ([, , title = '']) => {
      const parts = title
        .replace(/\\(['"`])/g, '$1')
        .replace(/ @\w+/g, '')
        .split(/\$\{[^}]*\}/)
      return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.+')}$`)
    },
  )

const known = new Map<string, RegExp[]>()

/** Whether a test stands in a document as `file › title`, or `file › group › title`. */
function isTest(proof: string): boolean {
  const [file = '', ...titles] = proof.split(' › ')
  const path = `tests/${file}`
  if (titles.length === 0 || !existsSync(path)) return false
  const patterns = known.get(path) ?? titlesOf(path)
  known.set(path, patterns)
  return titles.every((title) => patterns.some((pattern) => pattern.test(title)))
}

/** The rows of a document's tables that begin with an id; the last three cells are the result, the files and the tests. */
function readRows(text: string) {
  return [...text.matchAll(/^\| ([A-Z]*\d[\w.]*) \|.*$/gm)].map(([row]) => {
    const cells = row.slice(2, -2).split(' | ')
    const [result = '', where = '', proofs = ''] = cells.slice(-3)
    return { id: cells[0] ?? '', level: cells[1] ?? '', result, where, proofs }
  })
}

/** Expects files and tests that exist, and some of each in every row that passes. */
function expectProved(rows: ReturnType<typeof readRows>) {
  const faults = rows.flatMap(({ id, result, where, proofs }) => {
    if (where === '–' && proofs === '–' && ['not met', 'not applicable'].includes(result)) return []
    const files = [...where.matchAll(/`(.+?)`/g)].map(([, file = '']) => file)
    return [
      ...(files.length === 0 ? [`${id} names no file`] : []),
      ...files.filter((file) => !existsSync(file)).map((file) => `${id}: ${file}`),
      ...proofs.split('<br>').flatMap((proof) => (isTest(proof) ? [] : [`${id}: ${proof}`])),
    ]
  })
  expect(faults).toEqual([])
}

const counterOf =
  (rows: ReturnType<typeof readRows>) =>
  (wanted: string): number =>
    rows.filter(({ result }) => result === wanted).length

test('docs/evidence/passkey-evaluation.md names each check once, and only tests and files that exist', () => {
  const text = readFileSync('docs/evidence/passkey-evaluation.md', 'utf8')
  const rows = readRows(text)
  const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`)
  const sections = { R: 33, CC: 7, A: 24, M: 16, RA: 3, S: 4, G: 5 }
  const ids = Object.entries(sections).flatMap(([prefix, count]) => numbered(prefix, count))
  expect(rows.map(({ id }) => id)).toEqual(ids.filter((id) => id !== 'R10'))

  const count = counterOf(rows)
  expect(text).toContain(
    `Here ${count('pass')} pass, ${count('differs')} differ, ${count('not applicable')} not applicable, ${count('fail')} fail.`,
  )
  expect(count('pass') + count('differs') + count('not applicable') + count('fail')).toBe(91)
  expectProved(rows)
})

test('docs/evidence/openid-conformance.md says why a module warns or is skipped, and names only tests that exist', () => {
  const text = readFileSync('docs/evidence/openid-conformance.md', 'utf8')
  const rows = [...text.matchAll(/^\| (?!module|source|---)(.+) \|$/gm)].map(([, row = '']) => row.split(' | '))
  const faults = rows.flatMap((cells) => {
    const [source = '', rule = '', proofs = ''] = [cells[0], ...cells.slice(-2)]
    // The suite's result of a module in each plan of the table.
    const results = source.startsWith('`oidcc-') ? cells.slice(1, -2) : []
    return [
      ...results.filter((result) => !/^(PASSED|WARNING|SKIPPED|REVIEW: .+)$/.test(result)),
      ...(results.includes('WARNING') && !rule.includes('The suite warns: ') ? ['no reason for a warning'] : []),
      ...(results.includes('SKIPPED') && !rule.includes('The suite skips it: ') ? ['no reason for skipping'] : []),
      ...proofs.split('<br>').filter((proof) => !isTest(proof)),
    ].map((fault) => `${source}, ${rule}: ${fault}`)
  })
  expect(faults).toEqual([])
  expect(rows.length).toBeGreaterThan(50)
})

/** By section of ASVS 5.0.0, the level of each of its requirements in turn; without V17, which has none of level 1. */
const verificationStandard = {
  ...{ 'V1.1': '22', 'V1.2': '1111122223', 'V1.3': '112222222223', 'V1.4': '222', 'V1.5': '123' },
  ...{ 'V2.1': '122', 'V2.2': '112', 'V2.3': '12223', 'V2.4': '23' },
  ...{ 'V3.2': '113', 'V3.3': '12223', 'V3.4': '11222233', 'V3.5': '11122333', 'V3.7': '22333' },
  ...{ 'V4.1': '12233', 'V4.2': '23333', 'V4.3': '22', 'V4.4': '1222' },
  ...{ 'V5.1': '2', 'V5.2': '112333', 'V5.3': '113', 'V5.4': '222' },
  ...{ 'V6.1': '122', 'V6.2': '111111112222', 'V6.3': '11223333', 'V6.4': '112233', 'V6.5': '22222333' },
  ...{ 'V6.6': '2223', 'V6.8': '2222' },
  ...{ 'V7.1': '222', 'V7.2': '1111', 'V7.3': '22', 'V7.4': '11222', 'V7.5': '223', 'V7.6': '22' },
  ...{ 'V8.1': '1233', 'V8.2': '1123', 'V8.3': '133', 'V8.4': '23' },
  ...{ 'V9.1': '111', 'V9.2': '1222' },
  ...{ 'V10.1': '22', 'V10.2': '223', 'V10.3': '22223', 'V10.4': '1111122222233333', 'V10.5': '22222' },
  ...{ 'V10.6': '22', 'V10.7': '222' },
  ...{ 'V11.1': '2233', 'V11.2': '22233', 'V11.3': '11233', 'V11.4': '1222', 'V11.5': '23', 'V11.6': '23' },
  ...{ 'V12.1': '12233', 'V12.2': '11', 'V12.3': '22223' },
  ...{ 'V13.1': '2333', 'V13.2': '222223', 'V13.3': '2233', 'V13.4': '1222233' },
  ...{ 'V14.1': '22', 'V14.2': '12223333', 'V14.3': '122' },
  ...{ 'V15.1': '12233', 'V15.2': '12233', 'V15.3': '1222222', 'V15.4': '3333' },
  ...{ 'V16.1': '2', 'V16.2': '22222', 'V16.3': '2222', 'V16.4': '222', 'V16.5': '2223' },
}

test('docs/evidence/security-evaluation.md names each requirement once, and only tests and files that exist', () => {
  const text = readFileSync('docs/evidence/security-evaluation.md', 'utf8')
  const rows = readRows(text)
  const ofTheStandard = rows.filter(({ id }) => id.startsWith('V'))
  const wanted = Object.entries(verificationStandard).flatMap(([section, levels]) =>
    [...levels].map((level, at) => `${section}.${at + 1} ${level}`).filter((row) => !row.endsWith(' 3')),
  )
  // From level 2 on, HSTS must include subdomains.
  wanted.splice(wanted.indexOf('V3.4.1 1') + 1, 0, 'V3.4.1 2')
  expect(ofTheStandard.map(({ id, level }) => `${id} ${level}`)).toEqual(wanted)

  const guideline = rows.filter(({ id }) => !id.startsWith('V'))
  expect(new Set(guideline.map(({ id }) => id)).size).toBe(guideline.length)
  expect(guideline.every(({ level }) => ['shall', 'should'].includes(level))).toBe(true)
  const levels = {
    '1': 'ASVS level 1',
    '2': 'ASVS level 2',
    shall: 'SP 800-63B-4, shall',
    should: 'SP 800-63B-4, should',
  }
  for (const [level, name] of Object.entries(levels)) {
    const ofLevel = rows.filter((row) => row.level === level)
    const count = counterOf(ofLevel)
    const sums = [count('met'), count('not met'), count('not applicable')]
    expect(text).toContain(`| ${name} | ${sums.join(' | ')} |`)
    expect(sums.reduce((sum, number) => sum + number)).toBe(ofLevel.length)
  }
  const [reasons = ''] = /^### Not met$.*?(?=^### V1 )/ms.exec(text) ?? []
  const notMet = ofTheStandard.filter(({ result }) => result === 'not met').map(({ id }) => id)
  expect((reasons.match(/V[\d.]+/g) ?? []).sort()).toEqual(notMet.sort())
  expectProved(rows)
})

test('what docs/security.md and its evaluation name by `under "…"` is a section of docs/security.md', () => {
  const text = readFileSync('docs/security.md', 'utf8')
  const named = [...(text + readFileSync('docs/evidence/security-evaluation.md', 'utf8')).matchAll(/under "(.+?)"/g)]
  expect(named.length).toBeGreaterThan(20)
  for (const [, heading] of named) expect(text).toMatch(new RegExp(`^##+ ${heading}$`, 'm'))
})

test('docs/security.md says of every column of every table what it holds', () => {
  const text = readFileSync('docs/security.md', 'utf8')
  const models = [...readFileSync('prisma/schema.prisma', 'utf8').matchAll(/^model (\w+) \{\n(.*?)^\}/gms)]
  expect(models.length).toBeGreaterThan(5)
  for (const [, model = '', body = ''] of models) {
    const others = models.map(([, other]) => other).join('|')
    const isRelation = new RegExp(`\\[\\]|@relation| (${others})\\?$`)
    const names = [...body.matchAll(/^ {2}(\w+) +\w+[^\n]*$/gm)].filter(([line]) => !isRelation.test(line))
    // Further classes of a table's columns are in rows below.
    const [row = ''] = new RegExp(`^\\| \`${model}\` \\|.*(\n\\| \\|.*)*`, 'm').exec(text) ?? []
    for (const [, name = ''] of names) expect(row, model).toContain(`\`${name}\``)
  }
})

test('docs/security.md names every key that is derived from the secret', () => {
  const text = readFileSync('docs/security.md', 'utf8')
  const types = [
    ...readFileSync('lib/auth/tokens/claims.ts', 'utf8').matchAll(/^ {2}'?([a-z-]+)'?: registeredClaims/gm),
  ]
  expect(types.length).toBeGreaterThan(4)
  for (const [, type = ''] of types) expect(text, type).toMatch(new RegExp(`\`${type}(\\+jwt)?\``))
  const sources = readdirSync('lib', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const purposes = sources.flatMap((name) => [
    ...readFileSync(`lib/${name}`, 'utf8').matchAll(
      /\b(?:derive(?:Key|dKeys)|keyedDigest)\([^`]*?'(latchkey\/[\w-]+)'/g,
    ),
  ])
  expect(purposes.length).toBeGreaterThan(5)
  for (const [, purpose = ''] of purposes) expect(text, purpose).toContain(`\`${purpose}\``)
})

test('docs/security.md names every cookie that Latchkey sets', () => {
  const text = readFileSync('docs/security.md', 'utf8')
  const [, type = ''] = /type CookieName = (.*)/.exec(readFileSync('lib/http/request/cookies.ts', 'utf8')) ?? []
  const names = [...type.matchAll(/'(.+?)'/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(4)
  const listed = [...text.matchAll(/^\| cookie `(.+?)`/gm)].map(([, name]) => name)
  expect(listed.sort()).toEqual([...names, '__Secure-access'].sort())
})
