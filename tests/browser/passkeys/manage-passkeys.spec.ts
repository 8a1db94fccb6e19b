import type { Locator, Page } from 'playwright/test'
import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { authenticate, register, signUp, signUpWithPasskey } from '../../support/accounts'
import {
  account,
  addPasskey,
  dialog,
  errorMessage,
  passkeyButton,
  statusMessage,
} from '../../support/browser/account-pages'
import { watchPaths } from '../../support/browser/page-requests'
import {
  button,
  expect,
  open,
  signedIn,
  signUpWithPasskeyOnPage,
  test,
  withoutAutofill,
} from '../../support/browser/pages'
import { postAs, useSessionOf } from '../../support/browser/step-up'
import { expectSignedIn } from '../../support/expectations'

const cards = (page: Page) => page.getByRole('listitem')
const removeDialog = (page: Page) => dialog(page, /^Remove “/)

/** Opens /passkeys for an account with a password and one passkey. */
async function withPasskey(page: Page) {
  const authenticator = await VirtualAuthenticator.attach(page)
  await signedIn(page)
  await open(page, '/passkeys')
  await addPasskey(page)
  await expect(cards(page)).toHaveCount(1)
  return authenticator
}

test('the name of a new passkey is open for a change, differs from the one before, and comes with advice to add a second', async ({
  page,
  context,
}) => {
  await withPasskey(page)
  await expect(page.getByText('Add a second passkey')).toBeVisible()
  const other = await context.newPage()
  await VirtualAuthenticator.attach(other)
  await open(other, '/passkeys')
  await other.bringToFront()
  // The first answer may ask for the step-up, which the first tab has.
  const options = other.waitForResponse((answer) => answer.url().endsWith('/register/options') && answer.ok())
  await button(other, 'Add a passkey').click()
  // The person chooses the device.
  expect((await (await options).json()).authenticatorSelection).not.toHaveProperty('authenticatorAttachment')
  const field = other.getByLabel('Passkey name')
  await expect(field).toBeFocused()
  const [first, second] = (await account(other)).passkeys
  expect(first.name).toBe('Chrome · Linux')
  expect(second.name).toBe('Chrome · Linux 2')
  await expect(field).toHaveValue(second.name)
  // The name is selected, so typing replaces it.
  await other.keyboard.type('Kitchen laptop')
  await other.keyboard.press('Enter')
  await expect(other.getByRole('heading', { name: 'Kitchen laptop', exact: true })).toBeVisible()
  await expect(cards(other)).toHaveCount(2)
  await expect(other.getByText('Add a second passkey')).toHaveCount(0)
  // On the narrowest phone, the buttons stand beside the name.
  await other.setViewportSize({ width: 320, height: 640 })
  const [title, press] = await Promise.all(
    [other.getByRole('heading', { name: 'Kitchen laptop', exact: true }), button(other, 'Rename Kitchen laptop')].map(
      (part) => part.boundingBox(),
    ),
  )
  expect(title?.y).toBeGreaterThan(press?.y ?? Number.POSITIVE_INFINITY)
  expect(title?.y).toBeLessThan((press?.y ?? 0) + (press?.height ?? 0))
})

test('a passkey is renamed, though not to nothing, keeps its name when that is cancelled, and the focus returns to its button', async ({
  page,
}) => {
  await withPasskey(page)
  const [{ name }] = (await account(page)).passkeys
  await passkeyButton(page, 'Rename').click()
  const field = page.getByLabel('Passkey name')
  await expect(field).toBeFocused()
  await field.fill('   ')
  await button(page, 'Save').click()
  await expect(field).toHaveAccessibleDescription('Enter a name.')
  await expect(field).toBeFocused()
  await button(page, 'Cancel').click()
  await expect(page.getByRole('heading', { name, exact: true })).toBeVisible()
  expect((await account(page)).passkeys).toMatchObject([{ name }])
  await passkeyButton(page, 'Rename').click()
  await field.fill('  Kitchen laptop ')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Kitchen laptop', exact: true })).toBeVisible()
  await expect(passkeyButton(page, 'Rename')).toBeFocused()
  await expect(statusMessage(page, 'Passkey renamed.')).toBeVisible()
  expect((await account(page)).passkeys).toMatchObject([{ name: 'Kitchen laptop' }])
})

test.describe('removing a passkey', () => {
  test('removing the passkey that the person signed in with warns, and removing another one does not', async ({
    page,
  }) => {
    await withoutAutofill(page)
    const authenticator = await withPasskey(page)
    await page.context().clearCookies({ name: 'latchkey-session' })
    await open(page, '/signin')
    await button(page, 'Sign in with a passkey').click()
    await page.waitForURL('/profile')
    await authenticator.deleteOnDevice()
    await open(page, '/passkeys')
    await addPasskey(page)
    // The new one comes first.
    for (const [index, times] of [0, 1].entries()) {
      await cards(page).nth(index).getByRole('button', { name: 'Remove' }).click()
      await expect(removeDialog(page).getByText("You're signed in with this passkey.")).toHaveCount(times)
      await button(page, 'Cancel').click()
    }
  })

  test('a removed passkey disappears from the page and from the password manager, unless the person cancels', async ({
    page,
  }) => {
    const authenticator = await withPasskey(page)
    const [{ id }] = (await account(page)).passkeys
    for (const leave of [() => page.keyboard.press('Escape'), () => button(page, 'Cancel').click()]) {
      await passkeyButton(page, 'Remove').click()
      await expect(removeDialog(page)).toBeVisible()
      await leave()
      await expect(removeDialog(page)).toHaveCount(0)
      await expect(passkeyButton(page, 'Remove')).toBeFocused()
    }
    await expect(cards(page)).toHaveCount(1)
    expect(await authenticator.credentials()).toHaveLength(1)
    await passkeyButton(page, 'Remove').click()
    await expect(button(page, 'Cancel')).toBeFocused()
    await removeDialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(statusMessage(page, /^“.+” was removed\.$/)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'No passkeys yet' })).toBeVisible()
    await expect(button(page, 'Add a passkey')).toBeFocused()
    expect(await authenticator.events.waitFor('deleted')).toMatchObject({ id })
    expect(await authenticator.credentials()).toEqual([])
  })

  test('the only way to sign in cannot be removed, and the page says why @promise', async ({ page, passkeys: _ }) => {
    await signUpWithPasskeyOnPage(page)
    await open(page, '/passkeys')
    const why = 'Your only passkey. To remove it, add another one or set a password first.'
    await expect(page.getByText(why)).toBeVisible()
    await expect(passkeyButton(page, 'Rename')).toBeVisible()
    await expect(passkeyButton(page, 'Remove')).toHaveCount(0)
    await page.getByRole('link', { name: 'set a password' }).click()
    await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  })

  test('a passkey that has become the only way to sign in is kept, and the dialog says why', async ({
    page,
    context,
    passkeys: _,
  }) => {
    await signUpWithPasskeyOnPage(page)
    const other = await context.newPage()
    await VirtualAuthenticator.attach(other)
    await open(other, '/passkeys')
    await other.bringToFront()
    await addPasskey(other)
    await expect(cards(other)).toHaveCount(2)
    const [, second] = (await account(other)).passkeys
    expect((await postAs(other, '/api/i/passkeys/remove', { id: second.id })).status()).toBe(204)
    await cards(other).last().getByRole('button', { name: 'Remove' }).click()
    await removeDialog(other).getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(errorMessage(removeDialog(other), 'Your only passkey.')).toBeVisible()
    expect((await account(other)).passkeys).toHaveLength(1)
  })

  test('removing a passkey that another tab has removed says so and updates the list', async ({ page }) => {
    await withPasskey(page)
    const [{ id }] = (await account(page)).passkeys
    expect((await postAs(page, '/api/i/passkeys/remove', { id })).status()).toBe(204)
    await passkeyButton(page, 'Remove').click()
    await removeDialog(page).getByRole('button', { name: 'Remove', exact: true }).click()
    await expect(errorMessage(removeDialog(page), 'was already removed in another tab')).toBeVisible()
    await button(page, 'Close').click()
    await expect(cards(page)).toHaveCount(0)
  })
})

test('adding a passkey takes four requests: its options, its answer, the page and the signal', async ({
  page,
  passkeys: _,
}) => {
  await signedIn(page)
  const signalled = page.waitForResponse('**/api/i')
  await open(page, '/passkeys')
  await signalled
  const paths = watchPaths(page)
  await addPasskey(page)
  const ceremony = ['/api/auth/register/options', '/api/auth/register/verify']
  await expect.poll(() => paths).toEqual([...ceremony, '/passkeys', '/api/i'])
})

test('an action is rejected after another tab has signed in to a different account', async ({ page }) => {
  await withPasskey(page)
  await signedIn(page)
  await button(page, 'Add a passkey').click()
  await expect(errorMessage(page, "You're now signed in to a different account. Reload the page.")).toBeVisible()
  expect((await account(page)).passkeys).toEqual([])
})

test("each passkey is listed with its provider's icon and name, its dates and its actions", async ({
  page,
  client,
  authenticator,
}) => {
  await signUp(client)
  const aaguids = ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4', '00000000-0000-0000-0000-000000000000']
  for (const aaguid of aaguids) expect((await register(client, authenticator, undefined, { aaguid })).status).toBe(201)
  expect((await authenticate(client, authenticator)).status).toBe(200)
  const { passkeys } = await expectSignedIn(client)
  await useSessionOf(client, page)
  await open(page, '/passkeys')
  const cards = page.getByRole('listitem')
  await expect(cards).toHaveCount(2)
  const google = cards.filter({ has: page.getByRole('heading', { name: 'Google Password Manager' }) })
  await expect(google.locator('svg[data-provider="Google Password Manager"]')).toBeVisible()
  await expect(google).toContainText('Not used yet')
  // A zero AAGUID has no known provider, so the icon and name are generic.
  const plain = cards.filter({ hasNot: page.locator('[data-provider]') })
  await expect(plain).toHaveCount(1)
  await expect(plain.locator('svg').first()).toBeVisible()
  await expect(plain.getByRole('heading')).toHaveText('Passkey')
  const date = (card: Locator, what: string) => card.locator('dl > div').filter({ hasText: what }).locator('time')
  for (const [card, whose] of [
    [google, 'Google Password Manager'],
    [plain, null],
  ] as const) {
    const passkey = passkeys.find(({ provider }: { provider: string | null }) => provider === whose)
    await expect(date(card, 'Created')).toHaveAttribute('datetime', passkey.createdAt)
    await expect(date(card, 'Created')).toHaveText(/, \d\d:\d\d$/)
    if (card === plain) await expect(date(card, 'Last used')).toHaveAttribute('datetime', passkey.lastUsedAt)
    await expect(card.getByRole('button', { name: `Rename ${passkey.name}`, exact: true })).toBeVisible()
    await expect(card.getByRole('button', { name: `Remove ${passkey.name}`, exact: true })).toBeVisible()
  }
  await expect(button(page, 'Add a passkey')).toBeVisible()
  // Each has the cuts of its own key, the same on every page.
  const cutsOn = (cards: Locator) =>
    cards.evaluateAll((all) =>
      Object.fromEntries(
        all.map((card) => [
          card.querySelector('h2, h3')?.textContent,
          // A key that may be a stranger's is drawn as a line, which begins elsewhere.
          card
            .querySelector('svg[viewBox^="-1 -1"] path:last-child')
            ?.getAttribute('d')
            ?.replace(/^M\d+ /, ''),
        ]),
      ),
    )
  const cuts = await cutsOn(cards)
  expect(new Set(Object.values(cuts)).size).toBe(2)
  await open(page, '/secure')
  expect(await cutsOn(page.getByRole('listitem').filter({ has: page.locator('h3') }))).toMatchObject(cuts)
})

test('a card shows whether the passkey is on a security key, its provider, whether it is synced, and its dates', async ({
  page,
  client,
  authenticator,
}) => {
  // Bitwarden's AAGUID, and one that is not assigned.
  await signUpWithPasskey(client, authenticator, {
    aaguid: 'd548826e-79b4-db40-a3d8-11116f7e8349',
    flags: { bs: true },
  })
  const aaguid = 'ffffffff-0000-4000-8000-000000000000'
  const flags = { be: false, bs: false }
  expect((await register(client, authenticator, undefined, { aaguid, flags, transports: ['usb', 'nfc'] })).status).toBe(
    201,
  )
  await useSessionOf(client, page)
  await open(page, '/passkeys')
  const known = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Bitwarden' }) })
  await expect(known).toContainText(/Bitwarden\s*In use now.*Synced across your devices\s*Created\s*\w[^,]*, \d\d:\d\d/)
  await expect(known.locator('svg[data-provider="Bitwarden"]')).toBeVisible()
  await expect(known.locator('svg[data-security-key]')).toHaveCount(0)
  const unknown = page.getByRole('listitem').filter({ hasNot: page.getByRole('heading', { name: 'Bitwarden' }) })
  await expect(unknown).toHaveCount(1)
  await expect(unknown).toContainText(/On one device only.*Not used yet/)
  await expect(unknown.locator('svg[data-provider]')).toHaveCount(0)
  await expect(unknown.locator('svg[data-security-key]')).toHaveCount(1)
})
