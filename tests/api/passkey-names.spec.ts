import { register, signUp } from '../support/accounts'
import { expectSignedIn } from '../support/expectations'
import { expect, test } from '../support/fixtures'

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
