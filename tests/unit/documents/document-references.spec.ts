import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'playwright/test'

const read = (path: string) => readFileSync(path, 'utf8')
const markdownIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))

const decisions = markdownIn('docs/decisions').filter((path) => !path.endsWith('README.md'))
const documents = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...markdownIn('docs'),
  ...markdownIn('docs/your-app'),
  ...markdownIn('docs/evidence'),
  ...markdownIn('docs/decisions'),
  ...markdownIn('tests/passkey-fixture'),
]

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )

const withoutCode = (text: string) => text.replace(/^```.*?^```$/gms, '')

test('every relative link in a document leads to a file, and to a heading of it', () => {
  const broken = documents.flatMap((document) => {
    const targets = [...withoutCode(read(document)).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(
      ([, target = '']) => target,
    )
    const leadsNowhere = (target: string) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? document : join(dirname(document), path)
      return !existsSync(file) || (anchor !== undefined && !anchorsOf(read(file)).includes(anchor))
    }
    return targets.filter(leadsNowhere).map((target) => `${document}: ${target}`)
  })
  expect(broken).toEqual([])
})

test('every file of this repository that a document names exists', () => {
  const isOurs = /^(app|components|docs|lib|prisma|scripts|tests)\/[\w./-]+$/
  const missing = documents.flatMap((document) => {
    const named = [...read(document).matchAll(/`([^`\s]+)`/g)].map(([, code = '']) => code)
    return named.filter((code) => isOurs.test(code) && !existsSync(code)).map((code) => `${document}: ${code}`)
  })
  expect(missing).toEqual([])
})

test('the folders, functions and names that docs/recipes.md sends people to are where it says', () => {
  const text = read('docs/recipes.md')
  const named = [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

  const folders = named.flatMap((code) => /^([\w./-]*\/)[\w-]*…/.exec(code)?.[1] ?? [])
  expect(folders.filter((folder) => !existsSync(folder))).toEqual([])

  const sources = ['app', 'components', 'lib', 'scripts'].flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((path) => join(root, path)),
  )
  const code = sources.filter((path) => /\.(tsx?|mjs)$/.test(path) && !path.includes('/generated/')).map(read)
  const functions = named.flatMap((code) => code.match(/\w+(?=\()/g) ?? [])
  const declared = new Set(
    code.flatMap((text) => text.match(/(?<=\b(?:function|const) )\w+|(?<=^ +)\w+(?=\()/gm) ?? []),
  )
  expect(functions.filter((name) => !declared.has(name))).toEqual([])

  // "`activity.events` of `lib/messages/en.ts`", "`requestHandler()` in `lib/http/route.ts`"
  const places = [...text.matchAll(/`([\w.]+)(?:\(\))?`\s+(?:in|of)\s+`([\w./-]+\.\w+)`/g)]
  const misplaced = places.filter(([, name = '', path = '']) =>
    name.split('.').some((part) => !new RegExp(`\\b(function|const) ${part}\\b|\\b${part}: {`).test(read(path))),
  )
  expect(misplaced.map(([place]) => place)).toEqual([])
  expect(places.length).toBeGreaterThan(3)
})

test('the list of decisions names every page by its title', () => {
  const lines = decisions.map((path) => {
    const [, title] = /^# (\d{4} .*)$/m.exec(read(path)) ?? []
    return `- [${title}](${path.slice('docs/decisions/'.length)})`
  })
  expect(read('docs/decisions/README.md').match(/^- .*$/gm)).toEqual(lines)
})

test('docs/settings.md and .env.example name the same settings with the same defaults', () => {
  const table = read('docs/settings.md')
  const rows = [...table.matchAll(/^\| (`[A-Z].*?) \| (.*?) \|/gm)].flatMap(([, names = '', value = '']) =>
    [...names.matchAll(/`(.+?)`/g)].map(([, name]) => [name, /^`(.*?)`/.exec(value)?.[1] ?? '']),
  )
  const examples = [...read('.env.example').matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name, value])
  // The table has one row for OpenTelemetry's own variables, which begin alike.
  const isTelemetry = ([name = '']: (string | undefined)[]) => name.startsWith('OTEL_')
  const others = examples.filter((example) => !isTelemetry(example))
  const listed = examples.length === others.length ? others : [...others, ['OTEL_*', '']]
  // RP_ID's default follows from another setting, which the table says in words.
  const comparable = (settings: (string | undefined)[][]) =>
    Object.fromEntries(settings.map(([name, value]) => [name, name === 'RP_ID' ? '' : value]))
  expect(comparable(rows)).toEqual(comparable(listed))
  expect(rows).toHaveLength(listed.length)
})
