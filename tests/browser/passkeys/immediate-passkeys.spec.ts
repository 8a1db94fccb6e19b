import type { BrowserContext } from 'playwright/test'
import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { watchRequests } from '../../support/browser/page-requests'
import {
  alert,
  button,
  expect,
  expectProfile,
  liveStatus,
  open,
  signUpWithPasskeyOnPage,
  test,
  withCapabilities,
} from '../../support/browser/pages'

interface Asked {
  uiMode: unknown
  mediation: unknown
  hasSignal: boolean
  hasList: boolean
}

/** Makes the browser report immediate UI mode, and records what pages ask of it. */
async function watchGets(context: BrowserContext) {
  const asked: Asked[] = []
  await withCapabilities(context, { immediateGet: true })
  await context.exposeFunction('recordGet', (one: Asked) => asked.push(one))
  await context.addInitScript(() => {
    const { recordGet } = window as unknown as { recordGet(one: Asked): Promise<void> }
    const own = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = async (options = {}) => {
      const { uiMode, mediation, signal, publicKey } = options as CredentialRequestOptions & { uiMode?: string }
      const hasList = publicKey?.allowCredentials !== undefined && publicKey.allowCredentials.length > 0
      // Asked before it is recorded: a test that answers from then on must find the offer open.
      const answer = own(options)
      answer.catch(() => undefined)
      await recordGet({ uiMode, mediation, hasSignal: signal !== undefined, hasList })
      return answer
    }
  })
  return asked
}

const immediate = { uiMode: 'immediate', mediation: undefined, hasSignal: false, hasList: false }
const usual = { uiMode: undefined, mediation: undefined, hasSignal: true, hasList: false }

test('where the browser can, the button offers the passkeys of this device, and aborts autofill first', async ({
  page,
  context,
  passkeys,
}) => {
  const username = await signUpWithPasskeyOnPage(page)
  await context.clearCookies()
  const asked = await watchGets(context)
  // Autofill stays unanswered, as it does until the person chooses a passkey there.
  await passkeys.setAnswering(false)
  await open(page, '/signin')
  const autofill = { ...usual, mediation: 'conditional' }
  await expect.poll(() => asked).toEqual([autofill])
  await passkeys.setAnswering(true)
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
  expect(asked).toEqual([autofill, immediate])
})

test('without a passkey on the device, the page says so at once and offers the usual prompt, which takes a phone or a security key', async ({
  page,
  context,
}) => {
  await withCapabilities(context, { conditionalGet: false })
  const authenticator = await VirtualAuthenticator.attach(page)
  const username = await signUpWithPasskeyOnPage(page)
  const credentials = await authenticator.credentials()
  await context.clearCookies()
  await authenticator.deleteOnDevice()
  const asked = await watchGets(context)
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await expect(liveStatus(page)).toHaveText('No passkey was used from this device. Try your phone or a security key.')
  await expect(alert(page)).toBeEmpty()
  const another = button(page, 'Use a phone or security key')
  await expect(another).toBeFocused()
  for (const credential of credentials) await authenticator.add(credential)
  await another.click()
  await expectProfile(page, username)
  expect(asked).toEqual([immediate, usual])
})

test('a press that cannot reach the server stops waiting for the prompt of this device, and repeating it needs no new options', async ({
  page,
  passkeys,
  faults,
}) => {
  await withCapabilities(page, { conditionalGet: false, immediateGet: true })
  const username = await signUpWithPasskeyOnPage(page)
  await page.context().clearCookies()
  // The first prompt stays open: the page can't close it.
  await page.addInitScript(() => {
    const own = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = () => {
      navigator.credentials.get = own
      return new Promise(() => undefined)
    }
  })
  const requests = watchRequests(page, '/api/auth/login/options')
  await open(page, '/signin')
  await page.route('**/*', (route) => route.abort('connectionrefused'))
  await button(page, 'Sign in with a passkey').click()
  await expect(alert(page)).toContainText("Can't reach the server")
  await expect(liveStatus(page)).toBeEmpty()
  await page.unroute('**/*')
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
  expect(requests).toEqual([])
  expect(await passkeys.credentials()).toHaveLength(1)
  for (const fault of faults.splice(0)) expect(fault).toContain('ERR_CONNECTION_REFUSED')
})
