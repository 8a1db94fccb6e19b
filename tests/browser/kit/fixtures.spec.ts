import { mergeTests } from 'playwright/test'
import { test as kit } from '../../../packages/kit/src/playwright'
import { test as base, expect } from '../../support/fixtures'
import { startNotesApp } from '../../support/kit/notes-app'
import { accountsJson } from '../../support/operator/accounts-command'

const test = mergeTests(base, kit).extend({
  runsOn: ['Chromium'],
  latchkey: async ({ server }, use) => use({ url: server.origin }),
  baseURL: async ({ server }, use) => use(server.origin),
})

const inThePage = 'signed-up-in-the-page'

test.afterAll(async ({ generalServer }) => {
  const { accounts } = await accountsJson(generalServer, 'list', '--query', inThePage)
  expect(accounts.map(({ username }: { username: string }) => username)).not.toContain(inThePage)
})

test("latchkey-kit's passkey is cancelled, fails, waits, is lost and autofills as a test says", async ({
  page,
  person,
  signIn,
  passkey,
}) => {
  const ada = await person({ displayName: 'Ada Lovelace' })
  const main = page.getByRole('main')
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  const openSignIn = () => page.goto('/signin', { waitUntil: 'networkidle' })
  const signOut = () => page.context().clearCookies()

  await openSignIn()
  await passkey.cancel()
  await button.click()
  // Not that the browser has opened no prompt, as the page says of one that ends sooner than a person can end it.
  await expect(main).toContainText('No passkey was used')
  await passkey.fail()
  await button.click()
  await expect(main).toContainText('Authentication Failed')
  await passkey.fail('UnknownError')
  await button.click()
  await expect(main).toContainText("The passkey didn't work")
  await passkey.hold()
  await button.click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(button).toBeVisible()
  const answer = await passkey.hold()
  await button.click()
  await expect(main).toContainText('Waiting for your device')
  await answer()
  await expect(page).toHaveURL('/profile')

  await signOut()
  await page.goto('/signin')
  await passkey.autofill()
  await expect(page).toHaveURL('/profile')

  // Of several people's, the account chooser offers the one that came last.
  await signOut()
  await person({ displayName: 'Grace Hopper' })
  await openSignIn()
  await button.click()
  await expect(page.getByRole('heading', { name: 'Grace Hopper' })).toBeVisible()
  await signIn(ada)
  await page.goto('/profile')
  await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible()
  await signOut()
  await openSignIn()
  await button.click()
  await expect(page.getByRole('heading', { name: 'Ada Lovelace' })).toBeVisible()

  await signOut()
  await passkey.remove()
  await openSignIn()
  await button.click()
  await expect(main).toContainText('No passkey was used')
})

test('latchkey-kit signs a browser in to an app, and forgets who signs up in the page', async ({
  page,
  server,
  sharedPerson,
  signIn,
  signInTo,
  passkey,
}) => {
  const app = await startNotesApp(server)
  await expect(signInTo(app.url)).rejects.toThrow(/Nobody is signed in/)
  await signIn(sharedPerson)
  expect(await signInTo(`${app.url}/notes`)).toBe(`${app.url}/notes`)
  await page.goto(`${app.url}/other-notes`)
  await expect(page.getByText(`Notes of ${sharedPerson.username}`)).toBeVisible()
  await app.close()

  await page.context().clearCookies()
  await page.goto('/signup', { waitUntil: 'networkidle' })
  await page.getByRole('textbox', { name: 'Username' }).fill(inThePage)
  await passkey.cancel()
  const create = page.getByRole('button', { name: 'Create account with a passkey' })
  await create.click()
  await expect(page.getByRole('main')).toContainText('No passkey was created')
  await create.click()
  await expect(page.getByRole('heading', { name: "You're in" })).toBeVisible()
})
