import { expect, test } from 'playwright/test'
import { passwordAdvice } from '@/components/auth/new-password-field'
import { en } from '@/lib/messages/en'

const advise = (password: string, minLength = 8) =>
  passwordAdvice({ locale: 'en', words: en.passwordAdvice }, password, 'ada', minLength)

test('advice on a short password counts what is missing, in characters of any script', () => {
  expect(advise('short')).toBe('3 more characters to go.')
  expect(advise('😀'.repeat(7))).toBe('1 more character to go.')
  expect(advise('twelve chars', 15)).toBe('3 more characters to go.')
  expect(advise('crème b'.normalize('NFD'))).toBe('1 more character to go.')
  // Lower case has one more.
  expect(advise('İstanbu')).toBe('1 more character to go.')
})

test('advice names what makes a password easy to guess', () => {
  expect(advise('my name is Ada!')).toMatch(/contains your username/)
  for (const password of ['aaaaaaaa', 'abcdefgh', '12345678', '87654321', 'aaaabbbb1234'])
    expect(advise(password), password).toMatch(/Repeats and sequences/)
  for (const password of ['elephant', 'Elephant2026', 'elephants!!'])
    expect(advise(password), password).toMatch(/A single word/)
})

test('advice asks for more words until a password is long, and then for using it only here', () => {
  expect(advise('blue kettle')).toMatch(/Each extra word/)
  expect(advise('correct horse battery staple')).toMatch(/only here/)
})
