import { readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'

test('the example of docs/testing.md is a test that runs', () => {
  const [, example] = /```ts\n(.*?)```/s.exec(readFileSync('docs/testing.md', 'utf8')) ?? []
  // An adopter's test is built on the fixture alone; ours needs the address of our server, too.
  expect(example?.replace('./passkeys', '../pages')).toBe(readFileSync('tests/browser/passkey-example.spec.ts', 'utf8'))
})
