import type { Page } from 'playwright/test'
import { randomName } from '../../support/accounts'
import {
  alert,
  button,
  expect,
  liveStatus,
  open,
  test,
  usernameField,
  withoutAutofill,
} from '../../support/browser/pages'

/** Opens a page whose browser rejects each ceremony with the error that `rejectWith` names. */
async function openRejecting(page: Page, method: 'create' | 'get') {
  await withoutAutofill(page)
  await page.addInitScript((method) => {
    navigator.credentials[method] = () => Promise.reject(new DOMException('what a browser says', window.name))
  }, method)
  await open(page, method === 'create' ? '/signup' : '/signin')
  await usernameField(page).fill(randomName())
}

const rejectWith = (page: Page, name: string) =>
  page.evaluate((name) => {
    window.name = name
  }, name)

/** Neighbours differ in their words, so that a message that stays is found. */
const errors = [
  {
    act: 'creating a passkey',
    method: 'create',
    label: 'Create account with a passkey',
    explained: [
      ['InvalidStateError', 'You already have a passkey here'],
      ['ConstraintError', "This device can't store passkeys. Use a phone or another security key."],
      ['NotSupportedError', "can't create the kind of passkey this site needs. Use a phone"],
      ['SecurityError', 'Open the site at its usual address.'],
      ['UnknownError', 'Unlock it or reconnect your security key, then try again.'],
      ['OperationError', 'Another passkey prompt may be open. Close it and try again.'],
      ['NotReadableError', 'Unlock it or reconnect your security key, then try again.'],
      ['TimeoutError', 'The request timed out. Try again.'],
      ['SomeNewError', "The passkey didn't work"],
    ],
    cancelled: [['AbortError', /^No passkey was used\./]],
  },
  {
    act: 'signing in',
    method: 'get',
    label: 'Sign in with a passkey',
    explained: [
      ['InvalidStateError', 'Another passkey prompt may be open.'],
      ['NotSupportedError', "can't use the kind of passkey this site needs."],
      ['SecurityError', 'Open the site at its usual address.'],
      ['UnknownError', 'Unlock it or reconnect your security key, then try again.'],
    ],
    cancelled: [
      ['AbortError', /^No passkey was used\./],
      ['NotAllowedError', /This browser didn't open a passkey prompt\./],
    ],
  },
] as const

for (const { act, method, label, explained, cancelled } of errors) {
  test(`every error of a prompt while ${act} is explained, an aborted one counts as cancelled, and its button takes another press`, async ({
    page,
  }) => {
    await openRejecting(page, method)
    // A cancelled prompt leaves an earlier error where it is, so these come first.
    for (const [name, words] of cancelled) {
      await rejectWith(page, name)
      await button(page, label).click()
      await expect(liveStatus(page), name).toHaveText(words)
      await expect(alert(page), name).toBeEmpty()
      await expect(button(page, label), name).toBeEnabled()
    }
    for (const [name, words] of explained) {
      await rejectWith(page, name)
      await button(page, label).click()
      await expect(alert(page), name).toContainText(words)
      await expect(alert(page), name).not.toContainText('what a browser says')
      await expect(button(page, label), name).toBeEnabled()
    }
  })
}
