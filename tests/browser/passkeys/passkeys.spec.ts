import {
  alert,
  button,
  expect,
  liveStatus,
  open,
  signedIn,
  signUpWithPasskeyOnPage,
  test,
} from '../../support/browser/pages'

test('the list of passkeys starts empty and shows a new passkey immediately', async ({ page, passkeys: _ }) => {
  await signedIn(page)
  await open(page, '/passkeys')
  await expect(page.getByRole('heading', { name: 'No passkeys yet' })).toBeVisible()
  await expect(page.getByRole('listitem')).toHaveCount(0)
  await button(page, 'Add a passkey').click()
  await expect(liveStatus(page)).toHaveText('Passkey added.')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await expect(page.getByRole('listitem')).toContainText('Not used yet')
  await expect(page.getByRole('heading', { name: 'No passkeys yet' })).toHaveCount(0)
})

test('a device that already has a passkey for the account gets no second one', async ({ page, passkeys }) => {
  await signUpWithPasskeyOnPage(page)
  await open(page, '/passkeys')
  await button(page, 'Add a passkey').click()
  await expect(alert(page)).toContainText('You already have a passkey here')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  expect(await passkeys.credentials()).toHaveLength(1)
})
