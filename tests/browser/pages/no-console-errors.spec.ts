import { protectedPages } from '@/lib/http/pages/prepare'
import { VirtualAuthenticator } from '../../passkey-fixture/virtual-authenticator'
import {
  expect,
  expectProfile,
  open,
  ready,
  signedOut,
  signUpWithPasskeyOnPage,
  submitSignIn,
  test,
} from '../../support/browser/pages'

test('a walk through all pages causes no errors, warnings or CSP violations', async ({ page, faults }) => {
  const answers: string[] = []
  page.on('response', (response) => {
    if (response.status() >= 400) answers.push(`${response.status()} ${new URL(response.url()).pathname}`)
  })
  page.on('requestfailed', (request) => {
    // Autofill may leave the sign-in page while parts of it are still loading.
    const reason = request.failure()?.errorText
    if (reason !== 'net::ERR_ABORTED') answers.push(`${reason} ${request.url()}`)
  })
  for (const path of ['/', '/signin', '/signup', '/passkeys']) await page.goto(path, { waitUntil: 'networkidle' })
  await VirtualAuthenticator.attach(page)
  const username = await signUpWithPasskeyOnPage(page)
  for (const path of ['/', '/signin', '/consent', '/signout', ...protectedPages])
    await page.goto(path, { waitUntil: 'networkidle' })
  // The page asks for its account once it lives, on a busy machine long after it has loaded: not without the session.
  await Promise.all([page.waitForResponse('**/api/i'), page.goto('/passkeys')])
  await page.context().clearCookies()
  await page.goto('/signin')
  await expectProfile(page, username)
  expect(answers).toEqual([])
  await page.goto('/nowhere', { waitUntil: 'networkidle' })
  expect(answers).toEqual(['404 /nowhere'])
  expect(faults).toEqual([])
})

test('leaving the sign-in page during passkey autofill causes no errors', async ({ page, faults }) => {
  const username = await signedOut(page)
  for (const path of ['/signup', '/signin', '/signup']) await open(page, path)
  await open(page, '/signin')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.waitForURL('/signup')
  await page.goBack()
  await ready(page)
  await submitSignIn(page, username)
  await expectProfile(page, username)
  expect(faults).toEqual([])
})
