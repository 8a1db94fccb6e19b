import type { Locator } from 'playwright/test'
import { authenticate, register, signUp, signUpWithPasskey } from '../../support/accounts'
import { button, expect, open, test } from '../../support/browser/pages'
import { useSessionOf } from '../../support/browser/step-up'
import { expectSignedIn } from '../../support/expectations'

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
  await expect(known).toContainText(
    /Bitwarden\s*In use now\s*Synced across your devices\s*Created\s*\w[^,]*, \d\d:\d\d/,
  )
  await expect(known.locator('svg[data-provider="Bitwarden"]')).toBeVisible()
  await expect(known.locator('svg[data-security-key]')).toHaveCount(0)
  const unknown = page.getByRole('listitem').filter({ hasNot: page.getByRole('heading', { name: 'Bitwarden' }) })
  await expect(unknown).toHaveCount(1)
  await expect(unknown).toContainText(/On one device only.*Not used yet/)
  await expect(unknown.locator('svg[data-provider]')).toHaveCount(0)
  await expect(unknown.locator('svg[data-security-key]')).toHaveCount(1)
})
