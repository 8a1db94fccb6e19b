import assert from 'node:assert/strict'
import { rows } from '@/lib/api/endpoints'
import { type ErrorCode, errorStatus } from '@/lib/api/errors'
import type { OAuthErrorCode } from '@/lib/api/oauth-errors'
import { errorsOf, oauthErrorsOf } from '@/lib/api/openapi'
import { errorResponse, image, oauthErrorResponse, page } from '@/lib/api/schemas'

/** Fails unless lib/api documents this response of an endpoint: its status, every field of its body, and its error code. */
export function expectDocumented(method: string, path: string, response: { status: number; text: string }) {
  const [pathname] = path.split('?')
  const row = rows.find((one) => one.method === method && one.path === pathname)
  if (!row) return
  const { status, text } = response
  const what = `${method} ${path} answered ${status} ${text}`
  const schema = row.results[status]
  if (schema === null) return assert.equal(text, '', what)
  if (schema === image || schema === page) return
  const body: { code: ErrorCode; error: OAuthErrorCode } = JSON.parse(text)
  // What a schema does not know, it drops.
  const oauthCodes = oauthErrorsOf(row)
  assert.deepEqual((schema ?? (oauthCodes ? oauthErrorResponse : errorResponse)).parse(body), body, what)
  if (schema) return
  if (oauthCodes) return assert(oauthCodes.includes(body.error), what)
  assert(errorsOf(row).includes(body.code), what)
  assert.equal(status, errorStatus[body.code], what)
}
