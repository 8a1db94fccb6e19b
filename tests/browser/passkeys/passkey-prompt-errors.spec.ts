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

/** Makes the browser reject a ceremony with an error. */
async function failWith(page: Page, method: 'create' | 'get', name: string) {
  await page.addInitScript(
    ({ method, name }) => {
      navigator.credentials[method] = () => Promise.reject(new DOMException('what a browser says', name))
    },
    { method, name },
  )
}

const whileMaking = [
  ['InvalidStateError', 'You already have a passkey here'],
  ['ConstraintError', "This device can't store passkeys. Use a phone or another security key."],
  ['NotSupportedError', "can't create the kind of passkey this site needs. Use a phone"],
  ['SecurityError', 'Open the site at its usual address.'],
  ['UnknownError', 'Unlock it or reconnect your security key, then try again.'],
  ['NotReadableError', 'Unlock it or reconnect your security key, then try again.'],
  ['OperationError', 'Another passkey prompt may be open. Close it and try again.'],
  ['TimeoutError', 'The request timed out. Try again.'],
  ['SomeNewError', "The passkey didn't work"],
] as const

for (const [name, words] of whileMaking) {
  test(`${name} while creating a passkey is explained`, async ({ page }) => {
    await failWith(page, 'create', name)
    await open(page, '/signup')
    await usernameField(page).fill(randomName())
    await button(page, 'Create account with a passkey').click()
    await expect(alert(page)).toContainText(words)
    await expect(alert(page)).not.toContainText('what a browser says')
    await expect(button(page, 'Create account with a passkey')).toBeEnabled()
  })
}

const whileSigningIn = [
  ['InvalidStateError', 'Another passkey prompt may be open.'],
  ['NotSupportedError', "can't use the kind of passkey this site needs."],
  ['SecurityError', 'Open the site at its usual address.'],
  ['UnknownError', 'Unlock it or reconnect your security key, then try again.'],
] as const

for (const [name, words] of whileSigningIn) {
  test(`${name} while signing in is explained`, async ({ page }) => {
    await withoutAutofill(page)
    await failWith(page, 'get', name)
    await open(page, '/signin')
    await button(page, 'Sign in with a passkey').click()
    await expect(alert(page)).toContainText(words)
    await expect(button(page, 'Sign in with a passkey')).toBeEnabled()
  })
}

for (const [name, words] of [
  ['NotAllowedError', "This browser didn't open a passkey prompt."],
  ['AbortError', 'No passkey was used.'],
] as const) {
  test(`${name} counts as a cancelled prompt, not as an error`, async ({ page }) => {
    await withoutAutofill(page)
    await failWith(page, 'get', name)
    await open(page, '/signin')
    await button(page, 'Sign in with a passkey').click()
    await expect(liveStatus(page)).toContainText(words)
    await expect(alert(page)).toBeEmpty()
  })
}
