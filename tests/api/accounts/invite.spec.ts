import { PASSWORD, randomName } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectError } from '../../support/expectations'
import { test as base, expect } from '../../support/fixtures'
import { accountsWith } from '../../support/operator/accounts-command'
import { settingsOf } from '../../support/operator/command'
import type { Server } from '../../support/server/server'

const test = base.extend({
  server: async ({ startShared }, use) => use(await startShared({ env: { SIGN_UP: 'invited' } })),
})

const invite = (server: Server, ...words: string[]) =>
  accountsWith({ ...settingsOf(server), SIGN_UP: 'invited', APP_ORIGIN: `${server.origin},http://b.localhost` }, [
    'invite',
    ...words,
  ])

interface Invitation {
  url: string
  expiresAt: string
}

const invitationIn = (url: string) => new URLSearchParams(new URL(url).hash.slice(1)).get('invitation')

/** @returns the status of a sign-up with the invitation in this address */
async function signUpAt(server: Server, url: string) {
  const { origin, pathname, search } = new URL(url)
  // Behind the #, which no request carries.
  expect([origin, pathname, search]).toEqual([server.origin, '/signup', ''])
  const invitation = invitationIn(url)
  return new Client(server).post('/api/signup', { username: randomName(), password: PASSWORD, invitation })
}

test('invite prints addresses that are good for one account each', async ({ server }) => {
  const { code, stdout, stderr } = await invite(server, '--count', '3', '--expires', '2h', '--json')
  expect([code, stderr]).toEqual([0, ''])
  const { invitations, ...rest } = JSON.parse(stdout) as { invitations: Invitation[] }
  expect(rest).toEqual({})
  expect(invitations).toHaveLength(3)
  for (const { url, expiresAt } of invitations) {
    expect(new Date(expiresAt).toISOString()).toBe(expiresAt)
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 2 * 3_600_000)).toBeLessThan(60_000)
    expect((await signUpAt(server, url)).status).toBe(201)
    expectError(await signUpAt(server, url), 403, 'sign_up_closed')
  }
})

test('invite without options prints one address that is good for a week', async ({ server }) => {
  const { code, stdout } = await invite(server)
  expect(code).toBe(0)
  const [url = '', ...rest] = stdout.split('\n')
  expect(rest).toEqual([''])
  const [, claims = ''] = (invitationIn(url) ?? '').split('.')
  const { iat, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  expect([exp - iat, sub]).toEqual([7 * 86_400, undefined])
  expect((await signUpAt(server, url)).status).toBe(201)
})

test('invite takes up to 90 days and 10,000 invitations, and exits 2 for more or none', async ({ server }) => {
  expect((await invite(server, '--expires', '90d')).code).toBe(0)
  const many = await invite(server, '--count', '10000', '--json')
  expect(new Set(JSON.parse(many.stdout).invitations.map(({ url }: Invitation) => url)).size).toBe(10_000)
  const wrong = [
    ['--expires', '91d'],
    ['--expires', '0s'],
    ['--expires', '7'],
    ['--count', '0'],
    ['--count', '10001'],
    ['ada'],
  ]
  for (const words of wrong)
    expect(await invite(server, ...words), words.join(' ')).toMatchObject({ code: 2, stdout: '' })
})
