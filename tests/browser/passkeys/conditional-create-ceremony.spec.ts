import { strangeCredential } from '../../passkey-fixture/virtual-authenticator'
import { expect, expectProfile, open, signedOut, submitSignIn, test } from '../../support/browser/pages'
import { watchCeremonies } from '../../support/browser/webauthn-calls'

test('conditional create uses conditional mediation and aborts pending autofill', async ({ page, passkeys }) => {
  const calls = await watchCeremonies(page)
  const username = await signedOut(page)
  // A passkey that does not answer keeps the autofill request pending.
  await passkeys.add(strangeCredential())
  await passkeys.setAnswering(false)
  await open(page, '/signin')
  await expect.poll(() => calls).toMatchObject([{ name: 'get', outcome: 'pending' }])
  await submitSignIn(page, username)
  await expectProfile(page, username)
  // Chromium never settles conditional create with a virtual authenticator, so it ends at the timeout.
  expect(calls).toMatchObject([
    { name: 'get', mediation: 'conditional', outcome: 'AbortError' },
    { name: 'create', mediation: 'conditional', abortable: true, outcome: 'AbortError', pendingGets: 0 },
  ])
  expect(await passkeys.credentials()).toHaveLength(1)
})

for (const name of ['InvalidStateError', 'NotAllowedError', 'AbortError']) {
  test(`${name} during conditional create is ignored silently`, async ({ page, passkeys: _ }) => {
    // Stands in for the browser, which never settles conditional create with a virtual authenticator.
    await page.addInitScript((given) => {
      navigator.credentials.create = () => Promise.reject(new DOMException('Rejected', given))
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
