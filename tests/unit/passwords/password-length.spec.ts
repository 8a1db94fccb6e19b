import { expect, test } from 'playwright/test'
import { limits } from '@/lib/api/limits'
import { signInInput } from '@/lib/api/schemas'

/** How many rules a password breaks of those that were looked at. */
const broken = (password: string) => signInInput.safeParse({ username: 'ada', password }).error?.issues.length ?? 0

test('a password that is too long in any form is checked no further, since normalizing it could take most of a second', () => {
  const malformed = '\ud800'
  expect(broken(malformed.padEnd(1.5 * limits.password, '\u0301'))).toBe(2)
  expect(broken(malformed.padEnd(1.5 * limits.password + 1, '\u0301'))).toBe(1)
})

test('no character of NFC has a form of more than 1.5 UTF-16 units for each of its bytes', () => {
  const isLonger = (character: string) => {
    const units = Math.max(character.length, character.normalize('NFD').length)
    return units > 1.5 * Buffer.byteLength(character.normalize('NFC'))
  }
  const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code))
  expect(characters.filter((character) => character.isWellFormed() && isLonger(character))).toEqual([])
})
