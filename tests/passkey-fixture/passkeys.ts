import { test as base, expect, type Page } from 'playwright/test'
import { type AuthenticatorOptions, VirtualAuthenticator } from './virtual-authenticator'

export { expect }

type Passkeys = {
  /** What this test's authenticator is like: `test.use({ authenticatorOptions: { kind: 'phone' } })`. */
  authenticatorOptions: AuthenticatorOptions
  /** An authenticator in the tab that the test begins with, there before any page loads. */
  passkeys: VirtualAuthenticator
  /** Attaches another one: a further tab has none, and does not see that of the first. */
  attachPasskeys: (page: Page, options?: AuthenticatorOptions) => Promise<VirtualAuthenticator>
}

/** Tests in Chromium with virtual passkeys; see docs/testing.md. Needs nothing of the product under test. */
export const test = base.extend<Passkeys>({
  authenticatorOptions: [{}, { option: true }],
  passkeys: async ({ page, authenticatorOptions }, use) =>
    use(await VirtualAuthenticator.attach(page, authenticatorOptions)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from here.
  attachPasskeys: async ({}, use) => use((page, options) => VirtualAuthenticator.attach(page, options)),
})
