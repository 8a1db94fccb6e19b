import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { readRegion } from '../../support/your-app/snippets'

/** Every fenced block, with the file and region that the comment above it names. */
const blocksOf = (text: string) =>
  [...text.matchAll(/(?:^<!-- tests\/your-app\/(\S+?)(?:#(\S+))? -->\n)?^```(\w*)\n(.*?)^```$/gms)].map(
    ([, file, region, language = '', code = '']) => ({ file, region, language, code }),
  )

/** Settings, what a person types, and what could not be run here. */
const unbacked = ['ini', 'sh', 'xml', 'json']

for (const [document, least] of [
  ['docs/your-app/access-tokens.md', 4],
  ['docs/your-app/apis.md', 6],
  ['docs/your-app/fork.md', 5],
  ['docs/your-app/kit.md', 15],
  ['docs/your-app/openid-connect.md', 7],
  ['docs/your-app/other-languages.md', 3],
  ['docs/your-app/programs.md', 3],
  ['docs/your-app/reverse-proxy.md', 5],
  ['docs/testing-your-app.md', 7],
  ['docs/webhooks.md', 2],
] as const)
  test(`every snippet in ${document} is that of the file which other tests run`, () => {
    const blocks = blocksOf(readFileSync(document, 'utf8'))
    const backed = blocks.filter(({ file }) => file !== undefined)
    expect(backed.length).toBeGreaterThanOrEqual(least)
    for (const { file = '', region, code } of backed) expect(code, file).toBe(readRegion(file, region))
    const strange = blocks.filter(({ file, language }) => file === undefined && !unbacked.includes(language))
    expect(strange.map(({ code }) => code)).toEqual([])
  })

test('the command in docs/your-app/programs.md makes the Android origin of the fingerprint beside it', () => {
  const text = readFileSync('docs/your-app/programs.md', 'utf8')
  const origin = execFileSync('sh', ['tests/your-app/apk-key-hash.sh'], { encoding: 'utf8' }).trim()
  expect(text).toContain(`APP_ORIGIN=https://id.example.com,${origin}\n`)
  const [, fingerprint = ''] = /^fingerprint=(.+)$/m.exec(readFileSync('tests/your-app/apk-key-hash.sh', 'utf8')) ?? []
  expect(text).toContain(`ANDROID_APPS=com.example.app:${fingerprint}\n`)
})
