import assert from 'node:assert/strict'
import { errorsOf, rows } from '@/lib/api/endpoints'
import { type ErrorCode, errorStatus } from '@/lib/api/errors'
import { errorResponse, image } from '@/lib/api/schemas'

/** Fails unless lib/api documents this response of an endpoint: its status, every field of its body, and its error code. */
export function expectDocumented(method: string, path: string, response: { status: number; text: string }) {
  const row = rows.find((one) => one.method === method && one.path === path)
  if (!row) return
  const { status, text } = response
  const what = `${method} ${path} answered ${status} ${text}`
  const schema = row.results[status]
  if (schema === null) return assert.equal(text, '', what)
  if (schema === image) return
  const body: { code: ErrorCode } = JSON.parse(text)
  // What a schema does not know, it drops.
  assert.deepEqual((schema ?? errorResponse).parse(body), body, what)
  if (schema) return
  assert(errorsOf(row).includes(body.code), what)
  assert.equal(status, errorStatus[body.code], what)
}
