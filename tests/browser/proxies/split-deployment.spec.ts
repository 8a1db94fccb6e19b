import { once } from 'node:events'
import { createServer } from 'node:http'
import type { Page } from 'playwright/test'
import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { randomName } from '../../support/accounts'
import { addPasskey, passkeyButton, section } from '../../support/browser/account-pages'
import { holdAnswers } from '../../support/browser/page-requests'
import { button, expectProfile, open, place, submitSignUp } from '../../support/browser/pages'
import { forgetStepUp } from '../../support/browser/step-up'
import { Client } from '../../support/client'
import { expect, test } from '../../support/network/split-deployment'
import { registerApp } from '../../support/openid/fixtures'

test.use({ runsOn: ['Chromium'] })

const sessionOf = async (page: Page) =>
  (await page.context().cookies()).find(({ name }) => name === 'latchkey-session')?.value ?? ''

test('the account can be managed through a separate front end, until its session is revoked on the backend', async ({
  page,
  splitDeployment: { frontEnd, backend },
}) => {
  await open(page, `${frontEnd.origin}/signup`)
  await submitSignUp(page)
  await page.waitForURL('**/welcome')
  await open(page, `${frontEnd.origin}/profile`)
  await expect(page.getByText('Account created with a password')).toBeVisible()
  await open(page, `${frontEnd.origin}/profile/devices`)
  await expect(section(page, "Where you're signed in").getByRole('listitem')).toContainText('Chrome · Linux')
  await open(page, `${frontEnd.origin}/profile`)
  await button(page, 'Change username').click()
  const username = randomName()
  await page.getByLabel('New username').fill(username)
  await button(page, 'Save').click()
  await expectProfile(page, username)
  await VirtualAuthenticator.attach(page)
  await open(page, `${frontEnd.origin}/passkeys`)
  await addPasskey(page)
  await expect(page.getByRole('listitem')).toHaveCount(1)

  await forgetStepUp(page)
  await passkeyButton(page, 'Remove').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
  await button(page, 'Use a passkey').click()
  await expect(page.getByRole('listitem')).toHaveCount(0)

  await new Client(backend, { bearer: await sessionOf(page) }).post('/api/signout')
  await open(page, `${frontEnd.origin}/profile`)
  expect(place(page)).toBe('/signin?next=%2Fprofile')
})

test("an app's logout asks on the front end, with what the backend knows of the app", async ({
  page,
  splitDeployment,
}) => {
  const { frontEnd, backend } = splitDeployment
  const home = `${frontEnd.origin}/signin`
  const app = await registerApp(backend, 'https://app.example.com/callback', '--sign-out-uri', home)
  await open(page, `${frontEnd.origin}/signup`)
  await submitSignUp(page)
  await page.waitForURL('**/welcome')
  const query = new URLSearchParams({ client_id: app.id, post_logout_redirect_uri: home, state: 'back' })
  await open(page, `${frontEnd.origin}/api/oauth/logout?${query}`)
  expect(place(page)).toMatch(/^\/signout\?/)
  await expect(page.getByRole('main')).toContainText(`${app.name} wants to sign you out here, too.`)
  await button(page, 'Sign out').click()
  await page.waitForURL(`${home}?state=back`)
  expect((await page.context().cookies()).some(({ name }) => name === 'latchkey-session')).toBe(false)
})

test('pages say whether a backend is unreachable or wrong, and not that the person is signed out', async ({
  page,
  startSplitDeployment,
}) => {
  const { frontEnd, backend } = await startSplitDeployment()
  await open(page, `${frontEnd.origin}/signup`)
  await submitSignUp(page)
  await page.waitForURL('**/welcome')
  await backend.kill('SIGKILL')
  const answer = await page.goto(`${frontEnd.origin}/profile`)
  expect(answer?.status()).toBe(503)
  expect(Number(answer?.headers()['retry-after'])).toBeGreaterThan(0)
  expect(place(page)).toBe('/profile')
  await expect(page.getByRole('heading', { name: 'The service is busy' })).toBeVisible()
  await expect(page).toHaveTitle('The service is busy · Latchkey')
  expect(frontEnd.output()).not.toContain('"level":50')
  const held = await holdAnswers(page, '/profile*')
  await button(page, 'Try again').click()
  await expect(button(page, 'Try again')).toHaveAttribute('aria-busy', 'true')
  held.release()
  await expect(page.getByRole('heading', { name: 'The service is busy' })).toBeFocused()
  let status = 502
  const other = createServer((_, response) => response.writeHead(status).end())
  await once(other.listen(backend.port, '127.0.0.1'), 'listening')
  expect((await page.goto(`${frontEnd.origin}/profile`))?.status()).toBe(503)
  status = 404
  expect((await page.goto(`${frontEnd.origin}/profile`))?.status()).toBe(500)
  await expect(page.getByRole('heading', { name: 'Something went wrong' })).toBeVisible()
  await expect(page.locator('main')).toContainText('Reference: ')
  expect(frontEnd.output()).toContain('the backend answered 404 to /api/i')
  other.close()
})
