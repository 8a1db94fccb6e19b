import type { Page } from 'playwright/test'
import { PASSWORD, randomName } from '../../support/accounts'
import { account } from '../../support/browser/account-pages'
import {
  alert,
  test as base,
  button,
  expect,
  expectSignedUp,
  open,
  ready,
  submitSignUp,
  usernameField,
} from '../../support/browser/pages'
import { accountsJson } from '../../support/operator/accounts-command'
import type { Server } from '../../support/server/server'
import { logLines } from '../../support/server/server-log'
import { makeInvitation } from '../../support/tokens/tokens'

const test = base.extend({
  server: async ({ startShared }, use) => use(await startShared({ env: { SIGN_UP: 'invited' } })),
})

const invitationLink = async (server: Server, seconds?: number) =>
  `${server.origin}/signup#invitation=${await makeInvitation(server, seconds)}`

async function expectNoForm(page: Page, heading: string) {
  await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  await expect(usernameField(page)).toHaveCount(0)
  await expect(button(page, 'Create account with a passkey')).toHaveCount(0)
  const signIn = page.getByRole('link', { name: 'Sign in' })
  await expect(signIn).toHaveClass(/\bbutton\b/)
  await expect(signIn).toHaveAttribute('href', '/signin')
}

test('a person with an invitation signs up with a passkey, and then the invitation is used up @promise', async ({
  page,
  server,
  passkeys: _,
}) => {
  const link = await invitationLink(server)
  await open(page, link)
  await expect(page.getByRole('main')).toContainText("You're invited to Latchkey. Choose a username")
  const username = randomName()
  await usernameField(page).fill(username)
  await button(page, 'Create account with a passkey').click()
  await expectSignedUp(page, username)

  await page.context().clearCookies()
  // Only the address differs behind the #, which would load nothing.
  await page.goto('about:blank')
  await open(page, link)
  await usernameField(page).fill(randomName())
  await button(page, 'Create account with a passkey').click()
  await expect(alert(page)).toContainText('it has been used or has expired')
})

test('whoever is invited as an administrator is told so and offered no password, which could not make one', async ({
  page,
  server,
  passkeys: _,
}) => {
  await open(page, await invitationLink(server))
  await expect(button(page, 'Use a password instead')).toBeVisible()
  const [{ url }] = (await accountsJson(server, 'invite', '--admin')).invitations
  await page.goto('about:blank')
  await open(page, server.origin + url.slice(new URL(url).origin.length))
  await expect(page.getByRole('main')).toContainText("You're invited to be an administrator of Latchkey.")
  await expect(button(page, 'Use a password instead')).toHaveCount(0)
  await usernameField(page).fill(randomName())
  await button(page, 'Create account with a passkey').click()
  await page.waitForURL(/\/welcome/)
  await page.getByRole('link', { name: 'Administration' }).click()
  await page.waitForURL('/admin/accounts')
})

test('an invitation that another person uses first is reported as used up, and the passkey made for it is removed', async ({
  page,
  server,
  passkeys,
}) => {
  const invitation = await makeInvitation(server)
  await open(page, `/signup#invitation=${invitation}`)
  await usernameField(page).fill(randomName())
  // Between the options and the passkey.
  await page.route('**/api/auth/register/verify', async (route) => {
    const other = { username: randomName(), password: PASSWORD, invitation }
    await fetch(`${server.url}/api/signup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(other),
    })
    await route.continue()
  })
  await button(page, 'Create account with a passkey').click()
  await expect(alert(page)).toContainText('it has been used or has expired')
  await expect.poll(() => passkeys.credentials()).toEqual([])
})

test('without an invitation the pages say that sign-up is by invitation', async ({ page, server }) => {
  await page.goto('/signup')
  await expectNoForm(page, 'Sign-up is by invitation')
  await expect(page).toHaveTitle('Sign-up is by invitation · Latchkey')
  await expect(page.getByText('Choose a username')).toHaveCount(0)
  await open(page, '/signin')
  await expect(page.getByText('Accounts are by invitation only.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Create an account' })).toHaveCount(0)
  // So does a link that was cut short.
  await page.goto(`/signup#invitation=${(await makeInvitation(server)).slice(0, -1)}`)
  await expectNoForm(page, "This invitation doesn't work")
})

test('while sign-up is closed the pages say so and offer no form, but to an invited administrator', async ({
  page,
  server,
  start,
  faults,
}) => {
  const closed = await start({ beside: server, env: { SIGN_UP: 'closed' } })
  for (const path of ['/signup', `/signup#invitation=${await makeInvitation(server)}`]) {
    await page.goto(closed.url + path)
    await expectNoForm(page, 'Sign-up is closed')
    await expect(page).toHaveTitle('Sign-up is closed · Latchkey')
  }
  await page.goto('about:blank')
  await page.goto(`${closed.url}/signup#invitation=${await makeInvitation(server, 60, ['admins'])}`)
  await expect(page.getByText("You're invited to be an administrator of Latchkey.")).toBeVisible()
  await expect(page).toHaveTitle('Create your account · Latchkey')
  await page.goto(`${closed.url}/signin`)
  await expect(usernameField(page)).toBeVisible()
  await expect(page.getByText('New to')).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Create an account' })).toHaveCount(0)
  // The page asks the other server for more until it is left.
  await page.goto('about:blank')
  expect(faults.splice(0).filter((fault) => !fault.startsWith(`asked ${closed.url}/`))).toEqual([])
})

test('no address, Referer or log has the invitation, in another language either, and it ends with the sign-up', async ({
  page,
  server,
}) => {
  const invitation = await makeInvitation(server)
  const addresses: string[] = []
  const referers: string[] = []
  page.on('request', (request) => {
    addresses.push(request.url().split('#')[0] as string)
    referers.push(request.headers().referer ?? '')
  })
  await open(page, `/signup#invitation=${invitation}`)
  await page.getByRole('button', { name: 'Language: English' }).click()
  await page.getByRole('link', { name: 'Deutsch' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'de')
  expect(new URL(page.url()).hash).toBe(`#invitation=${invitation}`)
  await page.getByRole('button', { name: 'Sprache: Deutsch' }).click()
  await page.getByRole('link', { name: 'English' }).click()
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await ready(page)
  await submitSignUp(page)
  await page.waitForURL(`${server.origin}/welcome`)
  expect(addresses.join()).not.toContain(invitation)
  expect(referers).toContain(`${server.origin}/`)
  expect(referers.join()).not.toContain('/signup')
  const { id } = await account(page)
  await expect
    .poll(() => logLines(server.output()))
    .toContainEqual(expect.objectContaining({ event: 'account_created', account: id }))
  expect(server.output()).not.toContain(invitation)

  // Who is signed in goes to the profile, whose address does not have it either.
  await page.goto('about:blank')
  await page.goto(await invitationLink(server))
  expect(page.url().replace(/#$/, '')).toBe(`${server.origin}/profile`)
})
