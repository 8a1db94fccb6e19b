import type { Page } from 'playwright/test'
import { strangeCredential, VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import { randomName } from '../../support/accounts'
import { watchRequests } from '../../support/browser/page-requests'
import {
  alert,
  button,
  expect,
  expectProfile,
  liveStatus,
  open,
  signedOut,
  signUpWithPasskeyOnPage,
  submitSignIn,
  test,
  withCapabilities,
} from '../../support/browser/pages'

const asked = '/api/auth/login/options'

type Prompted = Window & { ceremony(change: number): void; closePrompt(): void }

/**
 * Counts the ceremonies that are open at once in this tab, and lets the test cancel the prompt, which it cannot click. Nobody
 * answers: the device has a passkey of another account, and waits for a touch.
 */
async function countCeremonies(page: Page) {
  const authenticator = await VirtualAuthenticator.attach(page, { credentials: [strangeCredential()] })
  await authenticator.setAnswering(false)
  const counts = { now: 0, most: 0, all: 0 }
  await page.exposeFunction('ceremony', (change: number) => {
    counts.now += change
    counts.most = Math.max(counts.most, counts.now)
    if (change > 0) counts.all += 1
  })
  await page.addInitScript(() => {
    const prompted = window as unknown as Prompted
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) => {
      const closed = new AbortController()
      prompted.closePrompt = () => closed.abort(new DOMException('The prompt was closed.', 'NotAllowedError'))
      prompted.ceremony(1)
      const signal = AbortSignal.any([options?.signal ?? closed.signal, closed.signal])
      return get({ ...options, signal }).finally(() => prompted.ceremony(-1))
    }
  })
  return counts
}

const closePrompt = (page: Page) => page.evaluate(() => (window as unknown as Prompted).closePrompt())

test('an error about an autofilled passkey stays visible until a later prompt ends', async ({ page }) => {
  const authenticator = await VirtualAuthenticator.attach(page, { credentials: [strangeCredential()] })
  await open(page, '/signin')
  await expect(alert(page)).toContainText('This passkey was removed')
  await authenticator.events.waitFor('deleted')
  await button(page, 'Sign in with a passkey').click()
  await expect(liveStatus(page)).toContainText(/passkey prompt|No passkey was used/)
  await expect(alert(page)).toBeEmpty()
})

test('passkey autofill needs no request, and is renewed before its challenge expires, even after the machine was asleep', async ({
  page,
}) => {
  const counts = await countCeremonies(page)
  await page.clock.install()
  const bodies = watchRequests(page, asked)
  await open(page, '/signin')
  await expect.poll(() => counts.all).toBe(1)
  // Fast-forwarding acts like a machine that was asleep: overdue timers fire once.
  await page.clock.fastForward('08:30')
  expect(bodies).toHaveLength(0)
  await page.clock.fastForward('01:00')
  await expect.poll(() => bodies.length).toBe(1)
  await expect.poll(() => counts).toEqual({ now: 1, most: 1, all: 2 })
  await page.clock.fastForward('09:00:00')
  await expect.poll(() => bodies.length).toBe(2)
  await expect.poll(() => counts).toEqual({ now: 1, most: 1, all: 3 })
  await expect(alert(page)).toBeEmpty()
})

test('a press that cannot reach the server says so at once, ends its prompt, and works when repeated', async ({
  page,
  faults,
}) => {
  await withCapabilities(page, { conditionalCreate: false })
  const counts = await countCeremonies(page)
  const username = await signedOut(page)
  await open(page, '/signin')
  await page.route('**/*', (route) => route.abort('connectionrefused'))
  await button(page, 'Sign in with a passkey').click()
  await expect(alert(page)).toContainText("Can't reach the server")
  await submitSignIn(page, username)
  await expect(alert(page)).toContainText("Can't reach the server")
  await expect.poll(() => counts).toMatchObject({ now: 1, most: 1 })
  await page.unroute('**/*')
  await submitSignIn(page, username)
  await expectProfile(page, username)
  for (const fault of faults.splice(0)) expect(fault).toContain('ERR_CONNECTION_REFUSED')
})

test('a press opens its prompt in time where what stands in for the browser never ends the withdrawn offer', async ({
  page,
  passkeys: _,
}) => {
  const username = await signUpWithPasskeyOnPage(page)
  await page.context().clearCookies()
  await page.addInitScript(() => {
    const get = navigator.credentials.get.bind(navigator.credentials)
    navigator.credentials.get = (options) =>
      options?.mediation === 'conditional' ? new Promise(() => undefined) : get(options)
  })
  await open(page, '/signin')
  await button(page, 'Sign in with a passkey').click()
  await expectProfile(page, username)
})

test('at most one ceremony is open at a time, whichever button is pressed during autofill, which resumes once the other ends @promise', async ({
  page,
}) => {
  const counts = await countCeremonies(page)
  await open(page, '/signin')
  await expect.poll(() => counts).toEqual({ now: 1, most: 1, all: 1 })
  // The offer itself, dismissed.
  await closePrompt(page)
  await expect.poll(() => counts).toEqual({ now: 1, most: 1, all: 2 })
  await expect(alert(page)).toBeEmpty()
  await expect(liveStatus(page)).toBeEmpty()
  await button(page, 'Sign in with a passkey').click()
  await expect.poll(() => counts).toEqual({ now: 1, most: 1, all: 3 })
  await closePrompt(page)
  await expect(liveStatus(page)).toContainText(/passkey prompt|No passkey was used/)
  await expect.poll(() => counts).toEqual({ now: 1, most: 1, all: 4 })
  await submitSignIn(page, randomName())
  await expect(alert(page)).toContainText("That username and password don't match.")
  await expect.poll(() => counts).toEqual({ now: 1, most: 1, all: 5 })
  await button(page, 'Use a recovery code').click()
  await expect.poll(() => counts).toEqual({ now: 0, most: 1, all: 5 })
  await button(page, 'Sign in another way').click()
  await expect.poll(() => counts).toEqual({ now: 1, most: 1, all: 6 })
})

test('passkey autofill is off where the browser does not support it, and tried where the browser does not say', async ({
  page,
  context,
}) => {
  await withCapabilities(page, { conditionalGet: false })
  const counts = await countCeremonies(page)
  const bodies = watchRequests(page, asked)
  await page.goto('/signin', { waitUntil: 'networkidle' })
  expect(counts.all).toBe(0)
  await button(page, 'Sign in with a passkey').click()
  await expect.poll(() => counts.all).toBe(1)
  expect(bodies).toEqual([])

  const silent = await context.newPage()
  await silent.addInitScript(() => {
    Reflect.deleteProperty(PublicKeyCredential, 'getClientCapabilities')
  })
  const tried = await countCeremonies(silent)
  await silent.goto('/signin')
  await expect.poll(() => tried).toEqual({ now: 1, most: 1, all: 1 })
})
