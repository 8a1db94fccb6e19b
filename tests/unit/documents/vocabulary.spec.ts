import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'playwright/test'
import { temporaryFolder } from '../../support/machine/temporary-folder'
import { retiredWords } from '../../support/project/vocabulary'

test('the product uses one word for each concept of the glossary', () => {
  expect(retiredWords('.').join('\n')).toBe('')
})

test('the vocabulary check finds a retired word in identifiers, comments and file names, and lets wire names pass', () => {
  const root = temporaryFolder('vocabulary')
  mkdirSync(join(root, 'lib'))
  const lines = [
    'const spentTokens = []',
    'const LOGIN_URL = 1',
    '// The quota of an address.',
    "fetch('/api/auth/login/options')",
    "readToken('login', token)",
    'given.RATE_LIMIT_LOGIN_MAX',
  ]
  writeFileSync(join(root, 'lib/put-off.ts'), lines.join('\n'))
  const found = retiredWords(root).map((line) => line.split(', say')[0])
  expect(found).toEqual([
    'lib/put-off.ts:0: "put off"',
    'lib/put-off.ts:1: "spent"',
    'lib/put-off.ts:2: "login"',
    'lib/put-off.ts:3: "quota"',
  ])
})
