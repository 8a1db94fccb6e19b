import { protectedPages } from '@/lib/http/pages/prepare'
import { expect, open, signedIn, submitSignIn, test } from '../../support/browser/pages'

/** A policy's directives by name. */
function directives(policy: string | undefined): Record<string, string> {
  const entries = (policy ?? '').split(';').map((text): [string, string] => {
    const [name = '', ...values] = text.trim().split(/\s+/)
    return [name, values.join(' ')]
  })
  return Object.fromEntries(entries)
}

const paths = ['/signin', '/signup', '/consent', '/signout', ...protectedPages, '/nowhere', '/']

test('every page sends the security headers to a visitor and to a signed-in person', async ({ page }) => {
  for (const who of ['a visitor', 'a signed-in person']) {
    if (who === 'a signed-in person') await signedIn(page)
    for (const path of paths) {
      const answer = await page.request.get(path, { maxRedirects: 0 })
      const headers = answer.headers()
      const policy = directives(headers['content-security-policy'])
      expect(policy, path).toMatchObject({
        'script-src': expect.stringMatching(/^'self' 'nonce-[\w+/=]{22,}' 'strict-dynamic'$/),
        'object-src': "'none'",
        'base-uri': "'none'",
        'frame-ancestors': "'none'",
        'form-action': "'self'",
      })
      expect(JSON.stringify(policy), path).not.toContain('unsafe')
      expect(headers, path).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': expect.stringMatching(/^(no-referrer|same-origin|strict-origin(-when-cross-origin)?)$/),
        'cross-origin-opener-policy': 'same-origin',
        'permissions-policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
      })
      expect(headers, path).not.toHaveProperty('x-powered-by')
      expect(headers, path).not.toHaveProperty('strict-transport-security')
      if (answer.status() === 200) expect(headers['cache-control'], path).toContain('no-store')
    }
  }
})

test('a request that brings a policy of its own gets ours', async ({ page }) => {
  const theirs = "script-src 'nonce-theirs' *"
  for (const path of ['/signin', '/nowhere']) {
    const answer = await page.request.get(path, { headers: { 'Content-Security-Policy': theirs } })
    const { 'script-src': scriptSrc } = directives(answer.headers()['content-security-policy'])
    expect(scriptSrc, path).toMatch(/^'self' 'nonce-[\w+/=]{22,}' 'strict-dynamic'$/)
    expect(await answer.text(), path).not.toContain('nonce="theirs"')
  }
})

test("every script carries the policy's nonce, which is new for each response @promise", async ({ page }) => {
  const nonces = new Set<string>()
  for (const path of ['/signin', '/signup', '/nowhere', '/signin']) {
    const answer = await page.request.get(path)
    const scriptSrc = directives(answer.headers()['content-security-policy'])['script-src'] ?? ''
    const nonce = /'nonce-([^']+)'/.exec(scriptSrc)?.[1] ?? ''
    const scripts = (await answer.text()).match(/<script\b[^>]*>/g) ?? []
    expect(scripts.length, path).toBeGreaterThan(3)
    for (const script of scripts) expect(script, path).toContain(`nonce="${nonce}"`)
    nonces.add(nonce)
  }
  expect(nonces.size).toBe(4)
})

test("an injected script does not run, and the page's own scripts do @promise", async ({ page, faults }) => {
  const username = await signedIn(page)
  await page.context().clearCookies()
  const injected = '<script>document.title="owned"</script><img src="/nothing.png" onerror="document.title=\'owned\'">'
  await page.route(/\/signin$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, body: (await response.text()).replace('</main>', `</main>${injected}`) })
  })
  await open(page, '/signin')
  await page.waitForLoadState('networkidle')
  expect(await page.title()).not.toBe('owned')
  const violations = faults.splice(0).filter((fault) => fault.includes('Content Security Policy'))
  expect(violations.length).toBeGreaterThanOrEqual(2)
  await submitSignIn(page, username)
  await page.waitForURL('/profile')
})

test('pages cannot be framed @promise', async ({ page, faults }) => {
  await page.goto('/nowhere')
  await page.evaluate(() => {
    document.body.append(Object.assign(document.createElement('iframe'), { src: '/signin' }))
  })
  await expect.poll(() => faults.join()).toContain('frame-ancestors')
  faults.length = 0
})
