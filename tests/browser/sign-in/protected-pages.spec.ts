import { protectedPages } from '@/lib/http/pages/prepare'
import {
  expect,
  expectProfile,
  open,
  place,
  ready,
  signedIn,
  signedOut,
  submitSignIn,
  submitSignUp,
  test,
} from '../../support/browser/pages'

test('every page of the account leads a visitor to sign in', async ({ page }) => {
  for (const path of protectedPages) {
    const answer = await page.request.get(path, { maxRedirects: 0 })
    expect([answer.status(), answer.headers().location], path).toEqual([
      307,
      `/signin?next=${encodeURIComponent(path)}`,
    ])
  }
})

test('a page with a query opens after signing in', async ({ page }) => {
  const username = await signedOut(page)
  const path = '/passkeys?from=mail&n=1'
  await open(page, path)
  expect(place(page)).toBe(`/signin?next=${encodeURIComponent(path)}`)
  await submitSignIn(page, username)
  await page.waitForURL(path)
  await expect(page.locator('body')).toContainText(username)
})

test('signing up leads by way of the welcome page to the one that was requested', async ({ page }) => {
  await open(page, '/passkeys')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.waitForURL('/signup?next=%2Fpasskeys')
  await ready(page)
  await submitSignUp(page)
  await page.waitForURL('/welcome?next=%2Fpasskeys')
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.waitForURL('/passkeys')
})

/** Addresses that a browser, or a careless parser, resolves to another site. */
const foreign = [
  '//evil.example',
  '/\\evil.example',
  'https://evil.example',
  '///evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '\\\\evil.example',
  ' //evil.example',
  'javascript:alert(1)',
  'https:evil.example',
  'evil.example',
  '//user@evil.example/profile',
]

test('a next parameter that names another site leads to the profile after signing in @promise', async ({ page }) => {
  const username = await signedOut(page)
  for (const next of foreign) {
    const answer = await page.request.get(`/signin?${new URLSearchParams({ next })}`)
    expect(await answer.text(), next).toContain('href="/signup"')
  }
  await open(page, `/signin?${new URLSearchParams({ next: '/\\evil.example' })}`)
  await submitSignIn(page, username)
  await expectProfile(page, username)
})

test('a next parameter cannot redirect a signed-in person to another site @promise', async ({ page, server }) => {
  await signedIn(page)
  for (const next of foreign) {
    for (const form of ['signin', 'signup']) {
      const answer = await page.request.get(`/${form}?${new URLSearchParams({ next })}`, { maxRedirects: 0 })
      expect(answer.status(), next).toBe(307)
      const target = new URL(answer.headers().location ?? '', server.origin)
      expect(target.href, next).toBe(`${server.origin}/profile${form === 'signup' ? '#' : ''}`)
    }
  }
})

test('pages that stand between lead to no other site, and not to themselves', async ({ page, server }) => {
  await signedIn(page)
  for (const next of ['//evil.example', '/notices?next=/notices']) {
    const query = new URLSearchParams({ next })
    const answer = await page.request.get(`/notices?${query}`, { maxRedirects: 0 })
    expect(new URL(answer.headers().location ?? '', server.origin).href, next).toBe(`${server.origin}/profile`)
    for (const path of ['/welcome', '/secure']) {
      await page.goto(`${path}?${query}`)
      const href = next.startsWith('/notices') ? next : '/profile'
      const name = path === '/secure' && href === '/profile' ? 'Go to your profile' : 'Continue'
      await expect(page.getByRole('link', { name, exact: true }), next).toHaveAttribute('href', href)
    }
  }
})

test('a repeated or empty next parameter leads to the profile', async ({ page }) => {
  await signedIn(page)
  for (const query of ['next=//evil.example&next=/passkeys', 'next=', 'next']) {
    await page.goto(`/signin?${query}`)
    expect(place(page)).toBe('/profile')
  }
})

test('/signin and /signup redirect a signed-in person', async ({ page }) => {
  const username = await signedIn(page)
  for (const path of ['/signin', '/signup', '/']) {
    await page.goto(path)
    await expectProfile(page, username)
  }
  for (const path of ['/signin?next=/passkeys', '/signup?next=/passkeys']) {
    await page.goto(path)
    expect(place(page)).toBe('/passkeys')
  }
})

test('/ leads visitors to signing up and to signing in', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1, name: 'Your Latchkey account' })).toBeVisible()
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.waitForURL('/signup')
  await page.getByRole('link', { name: 'Latchkey' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await page.waitForURL('/signin')
})
