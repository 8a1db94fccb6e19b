import { expect, test } from 'playwright/test'
import { retiredWords } from '../support/vocabulary'

test('the product uses one word for each concept of the glossary', () => {
  expect(retiredWords('.').join('\n')).toBe('')
})
