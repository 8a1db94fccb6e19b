import { PASSWORD } from '../../support/accounts'
import { createRecoveryCodesOnPage, section } from '../../support/browser/account-pages'
import {
  alert,
  button,
  expect,
  open,
  passwordField,
  place,
  signedIn,
  test,
  usernameField,
} from '../../support/browser/pages'
import { accounts } from '../../support/operator/accounts-command'

test('the sign-in page says that the account is disabled once the credential is right', async ({ page, server }) => {
  const username = await signedIn(page)
  const [code = ''] = await createRecoveryCodesOnPage(page)
  await accounts(server, 'disable', username)
  // The page of an account that was open leads to sign-in.
  await page.goto('/profile')
  await expect.poll(() => place(page)).toBe('/signin?next=%2Fprofile')
  const disabled = /^This account is disabled\s*An administrator has disabled this account\. Your data is safe\./
  await open(page, '/signin')
  await usernameField(page).fill(username)
  await passwordField(page).fill(PASSWORD)
  await button(page, 'Sign in').click()
  await expect(alert(page)).toHaveText(disabled)

  await button(page, 'Use a recovery code').click()
  await usernameField(page).fill(username)
  await page.getByLabel('Recovery code').fill(code)
  await button(page, 'Sign in').click()
  await expect(alert(page)).toHaveText(disabled)
  expect(place(page)).toBe('/signin?recover=')

  await accounts(server, 'enable', username)
  await button(page, 'Sign in').click()
  await expect.poll(() => place(page)).toBe('/profile')
  const notice = section(page, 'An administrator did this')
  await expect(notice).toContainText('The account was enabled again by an administrator')
  await expect(notice.getByRole('link', { name: "I didn't ask for it" })).toHaveAttribute('href', '/secure')
  // Whoever has been helped in sets up a way to sign in first.
  await expect(page.getByRole('main').getByRole('heading', { level: 2 }).first()).toHaveText(
    'Set up a new way to sign in',
  )
  const answers = notice.getByRole('button', { name: 'I asked for it' })
  await answers.first().click()
  await expect(answers).toHaveCount(1)
  await answers.click()
  await expect(notice).toHaveCount(0)
  await open(page, '/profile/activity')
  const entry = page.getByText('Account disabled by an administrator')
  await expect(entry).toBeVisible()
  // A command has no browser to recognize.
  await expect(entry.locator('..')).not.toContainText('browser')
})
