import type { Page } from 'playwright/test'
import {
  button,
  expect,
  expectProfile,
  open,
  signUpWithPasskeyOnPage,
  test,
  withCapabilities,
} from '../../support/browser/pages'

/** What a password manager that stands in for the browser makes of the real answer. Each function runs in the page. */
const answers: Record<string, (real: PublicKeyCredential) => unknown> = {
  'a plain object without methods': ({ id, rawId, type, response }) => {
    const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } =
      response as AuthenticatorAttestationResponse & AuthenticatorAssertionResponse
    return {
      id,
      rawId,
      type,
      response: { clientDataJSON, attestationObject, authenticatorData, signature, userHandle },
    }
  },
  'methods that throw, and views of bytes of another window': ({ id, rawId, type, response }) => {
    const frame = document.body.appendChild(document.createElement('iframe'))
    const { Uint8Array: Bytes } = frame.contentWindow as unknown as typeof globalThis
    // In the middle of a longer buffer.
    const foreign = (bytes: ArrayBuffer) => {
      const longer = new Bytes(bytes.byteLength + 2)
      longer.set(new Uint8Array(bytes), 1)
      return new DataView(longer.buffer, 1, bytes.byteLength)
    }
    const fail = () => {
      throw new TypeError('not implemented')
    }
    const names = ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
    const members = names.flatMap((name) => {
      const value = (response as unknown as Record<string, ArrayBuffer | null>)[name]
      return value ? [[name, foreign(value)]] : []
    })
    const broken = { getTransports: fail, getPublicKey: fail, getPublicKeyAlgorithm: fail, getAuthenticatorData: fail }
    return {
      id,
      rawId: foreign(rawId),
      type,
      toJSON: fail,
      getClientExtensionResults: fail,
      response: { ...Object.fromEntries(members), ...broken },
    }
  },
  'text in place of bytes, padded, and extension results that no JSON can hold': (real) => {
    const padded = (value: unknown): unknown => (typeof value === 'string' ? `${value}==` : value)
    const { rawId, response } = real.toJSON() as unknown as { rawId: string; response: Record<string, unknown> }
    const texts = Object.entries(response).map(([name, value]) => [name, padded(value)])
    return {
      id: 'its own name for the passkey',
      rawId: padded(rawId),
      response: { ...Object.fromEntries(texts), userHandle: response.userHandle ?? '' },
      getClientExtensionResults: () => ({ prf: { size: 1n } }),
    }
  },
  'what toJSON() says alone': (real) => ({ id: null, toJSON: () => real.toJSON() }),
}

/** Neither method can be replaced again, as some extensions see to. */
const standIn = (page: Page, answer: string) =>
  page.addInitScript((source) => {
    const strange = new Function(`return ${source}`)()
    for (const name of ['get', 'create'] as const) {
      const own = navigator.credentials[name].bind(navigator.credentials)
      const value = async (options: never) => {
        const answer = own(options)
        Object.assign(window, { isAsked: true })
        return strange(await answer)
      }
      Object.defineProperty(navigator.credentials, name, { value })
    }
    for (const name of ['parseRequestOptionsFromJSON', 'parseCreationOptionsFromJSON'])
      Object.defineProperty(PublicKeyCredential, name, { value: undefined })
  }, answer)

for (const [what, answer] of Object.entries(answers)) {
  test(`a password manager that answers with ${what} creates a passkey, and signs in by button and autofill`, async ({
    page,
    passkeys,
  }) => {
    await withCapabilities(page, { immediateGet: true })
    await standIn(page, String(answer))
    const username = await signUpWithPasskeyOnPage(page)

    await page.context().clearCookies()
    await passkeys.setAnswering(false)
    await open(page, '/signin')
    // Before autofill is open, the authenticator would answer it.
    await page.waitForFunction(() => 'isAsked' in window)
    await passkeys.setAnswering(true)
    await button(page, 'Sign in with a passkey').click()
    await expectProfile(page, username)

    await page.context().clearCookies()
    await page.goto('/signin')
    await expectProfile(page, username)
  })
}

test('an error that is none, or one of another window, is explained as the error that it names', async ({ page }) => {
  await withCapabilities(page, { conditionalGet: false })
  await page.addInitScript(() => {
    navigator.credentials.get = () => Promise.reject(JSON.parse(window.name))
  })
  await open(page, '/signin')
  const press = async (thrown: unknown) => {
    await page.evaluate((thrown) => {
      window.name = JSON.stringify(thrown)
    }, thrown)
    await button(page, 'Sign in with a passkey').click()
    await expect(button(page, 'Sign in with a passkey')).toBeEnabled()
  }
  await press({ name: 'NotAllowedError' })
  await expect(page.getByText("This browser didn't open a passkey prompt.")).toBeVisible()
  await press({ name: 'SecurityError', message: 'no' })
  await expect(page.locator('main').getByRole('alert')).toContainText('Open the site at its usual address.')
  await press('no')
  await expect(page.locator('main').getByRole('alert')).toContainText("The passkey didn't work")
})
