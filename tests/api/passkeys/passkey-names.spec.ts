import { register, registrationOptions, signUp } from '../../support/accounts'
import { expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

const KNOWN = 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'
const UNKNOWN = '01020304-0506-0708-0102-030405060708'
const ZEROS = '00000000-0000-0000-0000-000000000000'

for (const [what, aaguid, provider] of [
  ['the name of its provider when the AAGUID is known', KNOWN, 'Google Password Manager'],
  ['a plain name when the AAGUID is unknown', UNKNOWN, null],
  ['a plain name when the AAGUID is all zeros', ZEROS, null],
] as const) {
  test(`a new passkey gets ${what}`, async ({ client, authenticator }) => {
    await signUp(client)
    const { body } = await register(client, authenticator, undefined, { aaguid })
    expect(body.passkey).toMatchObject({ provider, name: provider ?? 'Passkey' })
    expect((await expectSignedIn(client)).passkeys).toEqual([body.passkey])
  })
}

for (const [what, name, backedUp] of [
  ['is named "Security key" when it is not backed up', 'Security key', false],
  ['gets a plain name when it is backed up', 'Passkey', true],
] as const) {
  test(`a passkey on a USB device of an unknown provider ${what}`, async ({ client, authenticator }) => {
    await signUp(client)
    const flags = { be: backedUp, bs: backedUp }
    const { body } = await register(client, authenticator, undefined, { aaguid: UNKNOWN, transports: ['usb'], flags })
    expect(body.passkey).toMatchObject({ provider: null, name, backedUp })
  })
}

test('a passkey of an unknown provider is named after the browser that keeps it, and a name is used once', async ({
  another,
  authenticator,
}) => {
  const agent = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/144.0.0.0 Safari/537.36'
  const client = another({ headers: { 'User-Agent': agent } })
  await signUp(client)
  async function add(aaguid: string, changes: object = {}) {
    const answer = authenticator.create(await registrationOptions(client), { aaguid })
    const { body } = await client.post('/api/auth/register/verify', { ...answer, ...changes })
    return body.passkey.name
  }
  expect(await add(ZEROS)).toBe('Chrome · Linux')
  expect(await add(UNKNOWN)).toBe('Chrome · Linux 2')
  // On a phone the browser says nothing of it, and an unreadable value nothing at all.
  expect(await add(ZEROS, { authenticatorAttachment: 'cross-platform' })).toBe('Passkey')
  expect(await add(ZEROS, { authenticatorAttachment: 7 })).toBe('Chrome · Linux 3')
  expect(await add(KNOWN)).toBe('Google Password Manager')
  expect(await add(KNOWN)).toBe('Google Password Manager 2')
})
