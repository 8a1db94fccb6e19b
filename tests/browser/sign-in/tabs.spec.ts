import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { randomName } from '../../support/accounts'
import { holdAnswers } from '../../support/browser/page-requests'
import {
  button,
  expect,
  expectProfile,
  expectSignedUp,
  open,
  signUpWithPasskeyOnPage,
  test,
  usernameField,
  withoutAutofill,
} from '../../support/browser/pages'

test('two tabs with a challenge each can both sign in', async ({ page, context }) => {
  await withoutAutofill(context)
  const authenticator = await VirtualAuthenticator.attach(page)
  const username = await signUpWithPasskeyOnPage(page)
  await context.clearCookies()
  await open(page, '/signin')
  const other = await context.newPage()
  await open(other, '/signin')

  await page.bringToFront()
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
  // Copied only now, with the signature counter as it is after the first sign-in.
  await VirtualAuthenticator.attach(other, { credentials: await authenticator.credentials() })
  await other.bringToFront()
  await button(other, 'Sign in with a passkey').click()
  await expectProfile(other, username)
})

test('two tabs with a challenge for a new account each can both sign up', async ({ page, context }) => {
  const other = await context.newPage()
  const tabs = [page, other].map((tab) => ({ tab, username: randomName() }))
  const held = []
  for (const { tab, username } of tabs) {
    await VirtualAuthenticator.attach(tab)
    await open(tab, '/signup')
    const answers = await holdAnswers(tab, '/api/auth/register/options')
    held.push(answers)
    await usernameField(tab).fill(username)
    await button(tab, 'Create account with a passkey').click()
    await expect.poll(() => answers.asked).toBe(1)
  }
  for (const [index, { tab, username }] of tabs.entries()) {
    // With a session, the second challenge would belong to a different account than the session.
    await context.clearCookies()
    // Chromium answers ceremonies only in the foreground tab.
    await tab.bringToFront()
    held[index]?.release()
    await expectSignedUp(tab, username)
  }
})
