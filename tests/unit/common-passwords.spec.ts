import { readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { isCommonPassword } from '@/lib/auth/passwords/common-passwords'

test('the list holds more than ten thousand passwords of eight characters and more', () => {
  const lines = readFileSync('build/common-passwords.txt', 'latin1').trim().split('\n')
  expect(lines.filter((line) => line.length >= 8).length).toBeGreaterThan(10_000)
})

const common: [what: string, password: string][] = [
  ['on the list', 'iloveyou'],
  ['all digits', '12345678'],
  ['in capitals', 'SunShine'],
  ['followed by digits', 'sunshine2026'],
  ['short and followed by digits', 'Dragon99'],
  ['on the list with other digits', 'trustno2026'],
  ['one character over and over', 'aaaaaaaa'],
  ['a group over and over', 'abc123abc123'],
  ['a row of the alphabet', 'abcdefghij'],
  ['a row of digits, backwards', '987654321'],
  ['a row of the keyboard', 'QWERTYUIOP'],
  ['a row and digits', 'zxcvbnm1'],
  ['a day', '31121999'],
]
for (const [what, password] of common)
  test(`a password is common when it is ${what}`, async () => {
    expect(await isCommonPassword(password)).toBe(true)
  })

const uncommon: [what: string, password: string][] = [
  ['four words', 'correct horse battery staple'],
  ['a common word among others', 'sunshine over the harbour'],
  ['a common word with letters behind the digits', 'dragon99xk'],
  ['random', 'k3v9xq2m'],
  ['a short beginning and random digits', 'ab83640172'],
  ['random digits', '8364017259'],
  ['one character more often than anybody types it', 'x'.repeat(64)],
  ['no letters of ours', '😀'.repeat(8)],
  ['regular expression syntax', '.*.*.*.*'],
  ['a line break', 'iloveyou\nsunshine'],
]
for (const [what, password] of uncommon)
  test(`a password is not common when it is ${what}`, async () => {
    expect(await isCommonPassword(password)).toBe(false)
  })
