import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'

test('the example in docs/testing.md is a test that the browser project runs', () => {
  const [, example] = /```ts\n(.*?)```/s.exec(readFileSync('docs/testing.md', 'utf8')) ?? []
  // Ours also needs the address of the server under test.
  expect(example?.replace('./passkeys', '../support/pages')).toBe(
    readFileSync('tests/browser/passkey-example.spec.ts', 'utf8'),
  )
})

/** Every test, as `file › title`. */
function listTests(): string[] {
  const projects = ['unit', 'api', 'browser'].map((name) => `--project=${name}`)
  const command = ['node_modules/playwright/cli.js', 'test', '--list', '--reporter=json', ...projects]
  const { suites } = JSON.parse(execFileSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 2 ** 26 }))
  const titlesOf = ({ specs = [], suites = [] }: Suite): string[] => [
    ...specs.map(({ title }) => title),
    ...suites.flatMap((suite) => titlesOf(suite).map((title) => `${suite.title} › ${title}`)),
  ]
  return (suites as Suite[]).flatMap((file) => titlesOf(file).map((title) => `${file.title} › ${title}`))
}

type Suite = { title: string; specs?: { title: string }[]; suites?: Suite[] }

test('docs/passkey-evaluation.md names each check once, and only tests and files that exist', () => {
  // Listing all tests takes three seconds of one core.
  test.slow()
  const text = readFileSync('docs/passkey-evaluation.md', 'utf8')
  const rows = [...text.matchAll(/^\| ([A-Z]+\d+) \|.*$/gm)].map(([row]) => row.slice(2, -2).split(' | '))
  const numbered = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i + 1}`)
  const sections = { R: 33, CC: 7, A: 24, M: 16, RA: 3, S: 4, G: 5 }
  const ids = Object.entries(sections).flatMap(([prefix, count]) => numbered(prefix, count))
  expect(rows.map(([id]) => id)).toEqual(ids.filter((id) => id !== 'R10'))

  const results = rows.map(([, , result]) => result)
  const count = (wanted: string) => results.filter((result) => result === wanted).length
  expect(text).toContain(
    `Here ${count('pass')} pass, ${count('not applicable')} not applicable, ${count('fail')} fail.`,
  )
  expect(count('pass') + count('not applicable') + count('fail')).toBe(91)

  const tests = new Set(listTests())
  for (const [id, , , where = '', proofs = ''] of rows) {
    for (const [, file = ''] of where.matchAll(/`(.+?)`/g)) expect(existsSync(file), `${id}: ${file}`).toBe(true)
    for (const proof of proofs.split('<br>')) expect(tests.has(proof), `${id}: ${proof}`).toBe(true)
  }
})
