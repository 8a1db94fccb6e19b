import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'playwright/test'
import { coresOf, isCommonPassword, linesFor } from '@/lib/auth/passwords/common-passwords'
import { runsOf } from '../../support/properties'

test('the list holds more than 100,000 passwords, words and names, sorted and each once', () => {
  const lines = readFileSync('build/common-passwords.txt').toString('latin1').trimEnd().split('\n')
  expect(lines.length).toBeGreaterThan(100_000)
  expect(lines.every((line, index) => index === 0 || line > (lines[index - 1] as string))).toBe(true)
})

test('of an entry its stem is on the list too, from four letters on, and the whole from the shortest password on', () => {
  expect(linesFor('Passw0rd.', 8)).toEqual(['password.', 'password'])
  expect(linesFor('Team2026', 8)).toEqual(['team2o26', 'team'])
  expect(linesFor('Bee20226', 8)).toEqual(['bee2o226'])
  expect(linesFor('Team2', 8)).toEqual(['team'])
})

const common: [what: string, password: string][] = [
  ['on the list', 'iloveyou'],
  ['all digits', '12345678'],
  ['in capitals', 'SunShine'],
  ['followed by digits', 'sunshine2026'],
  ['short and followed by digits', 'Dragon99'],
  ['on the list with other digits', 'trustno2026'],
  ['followed by a sign', 'Qwerty123!'],
  ['followed by a sign and digits', 'Pass@123'],
  ['led by digits', '123admin'],
  ['led by digits and followed by a sign', '123456aA@'],
  ['two letters, a sign and a row of digits', 'Aa@123456'],
  ['a word and a row of the keyboard', 'dragonqwerty'],
  ['written with signs for letters', 'P@$$w0rd'],
  ['written with digits for letters', '5unsh1n3'],
  ['written with an accent', 'contraseña'],
  ['written with signs between its letters', 'pass.word.1'],
  ['a way over the keyboard with Shift held', '!QAZ@WSX#EDC'],
  ['one character over and over', 'aaaaaaaa'],
  ['a sign over and over', '********'],
  ['a group over and over', 'abc123abc123'],
  ['a word twice and a digit', 'PasswordPassword1'],
  ['a row of the alphabet', 'abcdefghij'],
  ['a row of digits, backwards', '987654321'],
  ['a row of digits, longer than the row', '123456789012345'],
  ['a row of the keyboard', 'QWERTYUIOP'],
  ['a row and digits', 'zxcvbnm1'],
  ['a day', '31121999'],
  ['a day early in a month', '05112001'],
  ['a day of the twenties', '28022012'],
  ['a day, the month first', '12311999'],
  ['a day early in a month, the month first', '10092014'],
  ['a day, the year first', '19991231'],
  ['a day of the twenties, the year first', '20121028'],
]
for (const [what, password] of common)
  test(`a password is common when it is ${what}`, async () => {
    expect(await isCommonPassword(password)).toBe(true)
  })

const uncommon: [what: string, password: string][] = [
  ['four words', 'correct horse battery staple'],
  ['a common word among others', 'sunshine over the harbour'],
  ['a common word with letters behind the digits', 'dragon99xk'],
  ['a common word with many digits that follow no pattern', 'love8371940275618394'],
  ['a common word with five digits that follow no pattern', 'dragon48210'],
  ['a common word with digits that follow no pattern on both sides', '8317dragon4821'],
  ['random', 'k3v9xq2m'],
  ['a short beginning and random digits', 'ab83640172'],
  ['a short row of the alphabet, signs and digits that follow no pattern', 'abc!8364!'],
  ['a row of digits before digits that follow no pattern', '12348364'],
  ['a row of digits after digits that follow no pattern', '83641234'],
  ['digits around a short row of letters', '8364!aa!'],
  ['eight digits of which a day could not be made', '32137205'],
  ['random digits', '8364017259'],
  ['one character more often than anybody types it', 'x'.repeat(64)],
  ['no letters of ours', '😀'.repeat(8)],
  ['regular expression syntax', '(a+)+[z-a]{9}'],
  ['a line break', 'iloveyou\nsunshine'],
]
for (const [what, password] of uncommon)
  test(`a password is not common when it is ${what}`, async () => {
    expect(await isCommonPassword(password)).toBe(false)
  })

test('of 15 characters and more, the passwords that people make from common ones are common', async () => {
  const made = ['Password12345678', 'password@Password', 'Administrator2026!', 'qwertyuiop12345', 'iloveyou1234567']
  for (const password of [...made, '1q2w3e4r5t6y7u8i', '1qaz2wsx3edc4rfv', 'Communication1!'])
    expect(await isCommonPassword(password), password).toBe(true)
})

test('no entry of the list is missed, first and last lines included', async () => {
  const lines = readFileSync('build/common-passwords.txt', 'utf8').trimEnd().split('\n')
  const words = lines.filter((line) => /^\p{L}{8,60}$/u.test(line))
  expect(words.length).toBeGreaterThan(50_000)
  const some = [...words.slice(0, 100), ...words.filter((_, index) => index % 97 === 0), ...words.slice(-100)]
  expect(await onlyCommon(some)).toEqual(some)
})

/** One expectation for all of them: thousands in a test take Playwright longer than what they check. */
async function onlyCommon(passwords: string[]) {
  const are = await Promise.all(passwords.map(isCommonPassword))
  return passwords.filter((_, index) => are[index])
}

test('of 1,000 random passphrases and 1,000 random passwords none is common', async () => {
  const find = createRequire(import.meta.url).resolve
  const words: string[] = JSON.parse(readFileSync(find('@zxcvbn-ts/language-common/src/diceware.json'), 'utf8'))
  const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
  const four = fc.array(fc.constantFrom(...words), { minLength: 4, maxLength: 4 })
  const phrase = fc.tuple(four, fc.constantFrom(' ', '-', '.', '')).map(([parts, between]) => parts.join(between))
  const password = fc.string({ unit: fc.constantFrom(...letters), minLength: 16, maxLength: 16 })
  // Without the bias of fast-check towards the ends of a range, which makes letters repeat.
  const random = [phrase, password].flatMap((one) => fc.sample(fc.noBias(one), runsOf(1000)))
  expect(await onlyCommon(random)).toEqual([])
})

test('no password of runs around a word is searched for in hundreds of ways, which would keep the server busy', () => {
  const passwords = [`${'a'.repeat(27)}love${'b'.repeat(29)}`, 'a'.repeat(60), `${'1'.repeat(27)}love${'2'.repeat(29)}`]
  const counts = passwords.map((password) => coresOf(password).length)
  expect(Math.max(...counts)).toBeLessThan(200)
})
