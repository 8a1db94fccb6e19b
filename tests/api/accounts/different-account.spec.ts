import { rows } from '@/lib/api/endpoints'
import { signUp } from '../../support/accounts'
import { ENDPOINTS } from '../../support/endpoints'
import { expectError, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

test('a call that names another account than its session changes nothing, at any endpoint @promise', async ({
  client,
  another,
}) => {
  const shown = another()
  await signUp(shown)
  const { id } = await expectSignedIn(shown)
  await signUp(client)
  const before = await expectSignedIn(client)
  for (const { path, body } of ENDPOINTS) {
    const answer = await client.post(path, body, { headers: { 'Latchkey-Account': id } })
    expectError(answer, 409, 'different_account')
    expect(answer.cookies).toEqual([])
  }
  expect(await expectSignedIn(client)).toEqual(before)
})

test('a call that names the account of its session succeeds, and one without a session is not signed in', async ({
  client,
  another,
}) => {
  await signUp(client)
  const { id } = await expectSignedIn(client)
  const headers = { 'Latchkey-Account': id }
  expect((await client.post('/api/i/username', { username: `${id}.` }, { headers })).status).toBe(200)
  expectError(await another().post('/api/i', undefined, { headers }), 401, 'not_signed_in')
})

test('a wrong method, an unknown path and a GET are answered as documented, whichever account the call names', async ({
  client,
}) => {
  await signUp(client)
  const headers = { 'Latchkey-Account': 'of-another-account' }
  for (const path of new Set(rows.map((row) => row.path))) {
    const answer = await client.request('PUT', path, { headers })
    expect([answer.status, answer.headers.allow], path).toEqual([405, expect.any(String)])
  }
  expect((await client.post('/api/nowhere', undefined, { headers })).status).toBe(404)
  // The client rejects what lib/api does not document.
  for (const { path } of rows.filter(({ method }) => method === 'GET'))
    expect((await client.get(path, { headers })).status, path).not.toBe(409)
})
