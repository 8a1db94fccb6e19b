import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { signInElsewhere } from '../../support/accounts'
import { createRecoveryCodesOnPage } from '../../support/browser/account-pages'
import { holdAnswers } from '../../support/browser/page-requests'
import { button, expect, open, signedIn, test, usernameField } from '../../support/browser/pages'

test('while an action runs, its button keeps the focus and does nothing more', async ({ page }) => {
  await signedIn(page)
  await open(page, '/profile')
  const held = await holdAnswers(page, '/api/i/recovery-codes')
  await button(page, 'Create codes').focus()
  await page.keyboard.press('Enter')
  const create = button(page, 'Create ten codes')
  await expect(create).toHaveAttribute('aria-busy', 'true')
  await expect(create).toHaveAttribute('aria-disabled', 'true')
  await expect(create).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Space')
  held.release()
  await expect(button(page, 'Done')).toBeVisible()
  expect(held.asked).toBe(1)
})

test('Enter in a field does not send a form again while it is being sent', async ({ page }) => {
  await signedIn(page)
  await open(page, '/profile')
  await button(page, 'Change username').click()
  const held = await holdAnswers(page, '/api/i/username')
  const field = page.getByLabel('New username')
  await field.fill('')
  await field.pressSequentially(`x-${Date.now()}`)
  await page.keyboard.press('Enter')
  await expect(button(page, 'Save')).toHaveAttribute('aria-busy', 'true')
  await page.keyboard.press('Enter')
  await expect(field).toBeFocused()
  held.release()
  await expect(field).toHaveCount(0)
  expect(held.asked).toBe(1)
})

test('a screen reader finds on the profile a notice and three regions, in this order, and a name for every control', async ({
  page,
  server,
}) => {
  const username = await signedIn(page)
  await createRecoveryCodesOnPage(page)
  await signInElsewhere(server, username)
  await open(page, '/profile')
  await expect(page.getByRole('region')).toHaveCount(4)
  await expect(page.getByRole('main')).toMatchAriaSnapshot(`
    - main:
      - heading "${username}" [level=1]
      - paragraph:
        - text: Member since
        - time
      - region "Was this you?":
        - heading "Was this you?" [level=2]
        - list:
          - listitem:
            - paragraph: Sign-in from a new browser with a password
        - button "Yes, it was me"
        - link "No, secure my account"
      - region "Signing in":
        - heading "Signing in" [level=2]
        - group "Passkeys":
          - heading "Passkeys" [level=3]
          - paragraph: None yet
          - link "Add a passkey"
        - group "Password":
          - heading "Password" [level=3]
          - paragraph:
            - text: Set on
            - time
          - button "Change password"
        - group "Recovery codes":
          - heading "Recovery codes" [level=3]
          - paragraph: 10 left
          - paragraph:
            - text: Created on
            - time
          - button "Create new codes"
        - group "Username":
          - heading "Username" [level=3]
          - paragraph: ${username}
          - button "Change username"
        - link "Security check-up"
      - region "Where you're signed in":
        - heading "Where you're signed in" [level=2]
        - list:
          - listitem:
            - heading "Chrome · Linux This session" [level=3]
            - paragraph:
              - text: Signed in with a password ·
              - time
        - button "Sign out everywhere"
      - region "Recent activity":
        - heading "Recent activity" [level=2]
        - list:
          - listitem:
            - paragraph: Recovery codes created
          - listitem:
            - paragraph: Account created with a password
      - heading "Delete account" [level=2]
      - button "Delete this account"
  `)
})

test('each button of a passkey is named after it', async ({ page }) => {
  await VirtualAuthenticator.attach(page)
  await signedIn(page)
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  await button(page, 'Cancel').click()
  const name = await page.getByRole('listitem').getByRole('heading').innerText()
  await expect(button(page, `Rename ${name}`)).toBeVisible()
  await expect(button(page, `Remove ${name}`)).toBeVisible()
})

test('choosing a password moves to the first empty field, which is the username if none was typed', async ({
  page,
}) => {
  await open(page, '/signup')
  await button(page, 'Use a password instead').click()
  await expect(usernameField(page)).toBeFocused()
  await button(page, 'Use a passkey instead').click()
  await usernameField(page).fill('somebody')
  await button(page, 'Use a password instead').click()
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
})
