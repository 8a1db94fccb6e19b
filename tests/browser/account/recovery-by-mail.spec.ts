import type { Browser, Page } from 'playwright/test'
import { PASSWORD, randomName, signUp } from '../../support/accounts'
import { statusMessage } from '../../support/browser/account-pages'
import { findViolations } from '../../support/browser/axe'
import {
  alert,
  test as base,
  button,
  expect,
  expectProfile,
  open,
  ready,
  submitSignIn,
} from '../../support/browser/pages'
import { Client } from '../../support/client'
import { type MailServer, mailEnv, randomNetwork, startMailServer } from '../../support/network/mail-server'
import { executeSql } from '../../support/storage/sql'

const test = base.extend<{ mail: MailServer }>({
  mail: async ({ keep }, use) =>
    use(
      await keep('mail-server', async (onEnd) => {
        const mail = await startMailServer()
        onEnd(() => mail.stop())
        return mail
      }),
    ),
  server: async ({ startShared, mail }, use) => {
    const env = {
      ...mailEnv(mail.port),
      MAIL_RECOVERY: '12h',
      TRUSTED_PROXIES: '1',
      SUPPORT_URL: 'mailto:help@example.com',
    }
    await use(await startShared({ clock: 'movable', env }))
  },
})

const title = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })

/** Another browser, of another network. */
async function another(browser: Browser, baseURL: string) {
  const context = await browser.newContext({ baseURL, extraHTTPHeaders: { 'X-Forwarded-For': randomNetwork() } })
  return context.newPage()
}

test('somebody who has lost everything asks for a letter, waits while the owner may stop it in a session or by letter, and comes back with a passkey', async ({
  page,
  passkeys,
  browser,
  server,
  mail,
  faults,
}) => {
  test.slow()
  const username = randomName()
  const address = `${username}@example.com`
  const account = new Client(server)
  const { id } = await signUp(account, username)
  await account.post('/api/i/email', { email: address })
  await account.post('/api/i/email/verify', { code: await mail.codeTo(address) })
  executeSql(server.databaseUrl, `UPDATE "User" SET "emailProvedAt" = 1 WHERE "id" = '${id}'`)
  const linkTo = async (path: string, nth: number) => {
    const links = () =>
      mail.received.flatMap(({ to, text }) =>
        to === address ? (text.match(new RegExp(`http\\S+${path}#\\S+`)) ?? []) : [],
      )
    await expect.poll(() => links().length).toBe(nth)
    return links().at(-1) ?? ''
  }
  const ask = async (letter: number) => {
    await page.context().setExtraHTTPHeaders({ 'X-Forwarded-For': randomNetwork() })
    await page.getByLabel('Username or email address').fill(letter % 2 ? username : address)
    await button(page, 'Send email').click()
    await expect(title(page, 'Check your inbox')).toBeFocused()
    await page.goto(await linkTo('/recover', letter))
  }
  const start = async () => {
    await expect(title(page, 'Recover your account')).toBeVisible()
    await button(page, 'Start the wait').click()
    await expect(title(page, 'The wait has begun')).toBeFocused()
  }
  const owner = await another(browser, server.origin)
  await open(owner, '/signin')
  await submitSignIn(owner, username)
  await expectProfile(owner, username)
  const banner = owner.getByRole('region', { name: 'Somebody is recovering this account by email' })
  await expect(banner).toBeHidden()

  await open(page, '/signin')
  await page.getByRole('link', { name: "Can't sign in?" }).click()
  await expect(page.getByRole('link', { name: 'Use a recovery code' })).toHaveAttribute('href', '/signin?recover')
  await expect(page.getByRole('link', { name: 'Contact support' }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Sign in another way' })).toHaveAttribute('href', '/signin')
  expect(await findViolations(page)).toEqual([])
  await button(page, 'Send email').click()
  await expect(page.getByText('Enter your username or email address.')).toBeVisible()
  await ask(1)
  const elsewhere = await another(browser, server.origin)
  await elsewhere.goto(page.url())
  await expect(title(elsewhere, 'Open this in another browser')).toBeVisible()
  await start()

  await owner.reload()
  await expect(banner).toBeVisible()
  expect(await findViolations(owner)).toEqual([])
  await open(owner, '/passkeys')
  await banner.getByRole('button', { name: 'Stop it' }).click()
  await expect(statusMessage(owner.getByRole('main'), 'The recovery is stopped.')).toBeVisible()
  await expect(banner).toBeHidden()
  await page.reload()
  await expect(title(page, "This link doesn't work any more")).toBeVisible()

  await button(page, 'Send another email').click()
  await ask(2)
  await start()
  await elsewhere.goto(await linkTo('/recover/stop', 2))
  await expect(title(elsewhere, 'Stop the recovery?')).toBeVisible()
  await button(elsewhere, 'Stop it').click()
  await expect(title(elsewhere, 'The recovery is stopped')).toBeFocused()
  await elsewhere.reload()
  await button(elsewhere, 'Stop it').click()
  await expect(title(elsewhere, 'There is nothing to stop')).toBeFocused()

  await page.reload()
  await button(page, 'Send another email').click()
  await ask(3)
  await start()
  await page.context().setExtraHTTPHeaders({ 'X-Clock-Ahead': String(13 * 3_600_000) })
  await page.reload()
  await expect(title(page, 'Set a new way to sign in')).toBeVisible()
  expect(await findViolations(page)).toEqual([])
  await page.getByLabel('New password', { exact: true }).fill('password')
  await button(page, 'Set password').click()
  await expect(page.getByText('This password is among the first that attackers try')).toBeVisible()
  await button(page, 'Create a passkey').click()
  await expectProfile(page, username)
  expect(await passkeys.credentials()).toHaveLength(1)
  await owner.reload()
  await expect(owner).toHaveURL(/\/signin/)
  await ready(owner)
  await submitSignIn(owner, username, PASSWORD)
  await expect(alert(owner)).toContainText('Authentication Failed')
  for (const other of [owner, elsewhere]) await other.context().close()
  expect(faults).toEqual([])
})

test('without MAIL_RECOVERY pages offer none', async ({ browser, generalServer }) => {
  const page = await another(browser, generalServer.origin)
  await page.goto('/signin')
  await expect(page.getByRole('link', { name: "Can't sign in?" })).toBeHidden()
  for (const path of ['/recover', '/recover/stop']) expect((await page.goto(path))?.status()).toBe(404)
  await page.context().close()
})
