import {
  button,
  expect,
  expectProfile,
  open,
  signUpWithPasswordOnPage,
  submitSignIn,
  test,
} from '../../support/browser/pages'

/** What privacy extensions, webviews and odd machines make of what pages ask of their browser. Each runs in the page. */
const browsers: Record<string, () => void> = {
  'whose time zone Intl rejects': () => {
    const { resolvedOptions } = Intl.DateTimeFormat.prototype
    Intl.DateTimeFormat.prototype.resolvedOptions = function () {
      return { ...resolvedOptions.call(this), timeZone: 'Etc/Unknown' }
    }
  },
  'whose storage, cookies and channels throw': () => {
    const forbid = {
      configurable: true,
      get: () => {
        throw new DOMException('forbidden', 'SecurityError')
      },
    }
    for (const name of ['localStorage', 'sessionStorage', 'BroadcastChannel', 'indexedDB', 'caches'])
      Object.defineProperty(window, name, forbid)
    Object.defineProperty(Document.prototype, 'cookie', { ...forbid, set: forbid.get })
  },
  'without storage, or anything about itself': () => {
    for (const name of ['localStorage', 'sessionStorage', 'crypto', 'matchMedia'])
      Object.defineProperty(window, name, { value: null })
    for (const name of ['language', 'languages', 'onLine', 'cookieEnabled', 'userAgent', 'clipboard'])
      Object.defineProperty(Navigator.prototype, name, { value: undefined })
    Object.defineProperty(Performance.prototype, 'timeOrigin', { value: undefined })
    Reflect.deleteProperty(Element.prototype, 'animate')
  },
}

for (const [what, disturb] of Object.entries(browsers)) {
  test(`a browser ${what} shows every page, and signs up, out and in`, async ({ page }) => {
    await page.addInitScript(disturb)
    const username = await signUpWithPasswordOnPage(page)
    for (const path of ['/secure', '/passkeys', '/profile', '/profile/activity']) {
      await open(page, path)
      await expect(page.getByText('Something went wrong')).toHaveCount(0)
      await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
    }
    if (what.includes('time zone')) await expect(page.getByText(/\d\d:\d\d UTC/).first()).toBeVisible()
    await page.locator('header summary').click()
    await button(page, 'Sign out').click()
    await expect(page).toHaveURL('/signin')
    await submitSignIn(page, username)
    await expectProfile(page, username)
  })
}
