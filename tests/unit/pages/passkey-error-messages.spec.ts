import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebAuthnError, type WebAuthnErrorCode } from '@simplewebauthn/browser'
import { expect, test } from 'playwright/test'
import { describeWebAuthnError } from '@/lib/browser/failures/describe-failure'
import { en } from '@/lib/messages/en'

const helpers = join(import.meta.dirname, '../../../node_modules/@simplewebauthn/browser/esm/helpers')

/** Every code that the library gives to an error of a ceremony. */
function codes(): WebAuthnErrorCode[] {
  const sources = readdirSync(helpers)
    .filter((name) => /^identify(Registration|Authentication)Error\.js$/.test(name))
    .map((name) => readFileSync(join(helpers, name), 'utf8'))
  return [...new Set(sources.join('\n').match(/ERROR_[A-Z_]+/g))] as WebAuthnErrorCode[]
}

/** These say no more than the name of the error behind them, or stand for a ceremony that nobody sees. */
const unsaid = [
  'ERROR_CEREMONY_ABORTED',
  'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY',
  'ERROR_AUTO_REGISTER_USER_VERIFICATION_FAILURE',
]

test('every code that SimpleWebAuthn finds for an error has words of its own', () => {
  const found = codes().filter((code) => !unsaid.includes(code))
  expect(found.length).toBeGreaterThan(7)
  for (const code of found) {
    const cause = new DOMException('what a browser says', 'SomeNewError')
    const described = describeWebAuthnError(new WebAuthnError({ message: 'for programmers', code, cause }), en.failures)
    expect(described?.detail, code).toMatch(/^[A-Z].*\.$/)
    expect(described?.detail, code).not.toContain('for programmers')
  }
})

test("a fault of the server's request is told as one, whatever the browser calls the error", () => {
  for (const code of ['ERROR_MALFORMED_PUBKEYCREDPARAMS', 'ERROR_INVALID_USER_ID_LENGTH'] as const) {
    const cause = new DOMException('what a browser says', 'NotSupportedError')
    const error = new WebAuthnError({ message: 'for programmers', code, cause })
    expect(describeWebAuthnError(error, en.failures)).toMatchObject({ title: 'internalError' })
  }
})

test('a prompt that was closed or called off has no words', () => {
  for (const name of ['NotAllowedError', 'AbortError']) {
    expect(describeWebAuthnError(new DOMException('closed', name), en.failures)).toBeNull()
  }
})
