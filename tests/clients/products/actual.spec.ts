import { expect, newPerson, test, throughLatchkey } from '../apps'
import { installActual, runActual } from './actual'

test("Actual Budget's server signs its owner in, out, and in again without a question", async ({
  page,
  server,
  register,
}) => {
  // It compiles its driver of SQLite where no compiled one can be fetched.
  test.setTimeout(1_200_000)
  const node = installActual()
  const [app, person] = await Promise.all([register({ callback: '/openid/callback' }), newPerson(page, server)])
  await runActual(app, node, server.origin)
  const signedIn = page.getByText(`(logged in as: ${person.username})`)
  await page.goto(app.origin)
  await page.getByRole('button', { name: 'Start using OpenID' }).click()
  await throughLatchkey(page, app, person)
  await expect(signedIn).toBeVisible()

  await page.getByRole('button', { name: 'Server online' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(signedIn).toBeHidden()
  await page.getByRole('button', { name: 'Sign in with OpenID' }).click()
  await expect(signedIn).toBeVisible()
})
