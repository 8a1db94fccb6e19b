import { strangeCredential } from '../passkey-fixture/virtual-authenticator'
import { expect, expectProfile, open, signedOut, submitSignIn, test } from '../support/pages'
import { watchCeremonies } from '../support/webauthn-calls'

test('a passkey made unasked is conditional, and the standing offer of autofill is called off for it', async ({
  page,
  passkeys,
}) => {
  const calls = await watchCeremonies(page)
  const username = await signedOut(page)
  // With one that it holds and does not answer for yet, the offer stands.
  await passkeys.add(strangeCredential())
  await passkeys.setAnswering(false)
  await open(page, '/signin')
  await expect.poll(() => calls).toMatchObject([{ name: 'get', outcome: 'pending' }])
  await submitSignIn(page, username)
  await expectProfile(page, username)
  // Chromium never settles this one beside a virtual authenticator, so it ends as the deadline has it.
  expect(calls).toMatchObject([
    { name: 'get', mediation: 'conditional', outcome: 'AbortError' },
    { name: 'create', mediation: 'conditional', abortable: true, outcome: 'AbortError', pendingGets: 0 },
  ])
  expect(await passkeys.credentials()).toHaveLength(1)
})

for (const name of ['InvalidStateError', 'NotAllowedError', 'AbortError']) {
  test(`${name} while a passkey is made unasked is passed over in silence`, async ({ page, passkeys: _ }) => {
    // In place of the browser, which makes none beside a virtual authenticator and so refuses none.
    await page.addInitScript((given) => {
      navigator.credentials.create = () => Promise.reject(new DOMException('Refused', given))
    }, name)
    const calls = await watchCeremonies(page)
    const username = await signedOut(page)
    await open(page, '/signin')
    await submitSignIn(page, username)
    await expectProfile(page, username)
    expect(calls.at(-1)).toMatchObject({ name: 'create', mediation: 'conditional', outcome: name })
    await expect(page.locator('main').getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0)
  })
}
