import { test as base, expect, type Page } from 'playwright/test'
import { type AuthenticatorOptions, VirtualAuthenticator } from './virtual-authenticator'

export { expect }

type Passkeys = {
  /** Options of `passkeys`: `test.use({ authenticatorOptions: { kind: 'phone' } })`. */
  authenticatorOptions: AuthenticatorOptions
  /** An authenticator in `page`, attached before anything loads. */
  passkeys: VirtualAuthenticator
  /** Attaches an authenticator to another tab; tabs do not share them. */
  attachPasskeys: (page: Page, options?: AuthenticatorOptions) => Promise<VirtualAuthenticator>
}

/** Tests in Chromium with virtual passkeys; see README.md. Independent of the product under test. */
export const test = base.extend<Passkeys>({
  authenticatorOptions: [{}, { option: true }],
  passkeys: async ({ page, authenticatorOptions }, use) =>
    use(await VirtualAuthenticator.attach(page, authenticatorOptions)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
  attachPasskeys: async ({}, use) => use((page, options) => VirtualAuthenticator.attach(page, options)),
})
