import { decodeJwt } from 'jose'
import {
  authenticate,
  changePassword,
  createRecoveryCodes,
  PASSWORD,
  register,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
} from '../support/accounts'
import { Client } from '../support/client'
import { expect } from '../support/fixtures'
import { accounts as accountsCommand } from '../support/operator/accounts-command'
import type { Server } from '../support/server'
import { resignAccess } from '../support/tokens/access-tokens'
import { Authenticator } from '../support/webauthn/authenticator'
import {
  APP,
  accessCookieOf,
  askForwardAuth,
  expectIdentity,
  expectNobody,
  forPage,
  test,
} from '../support/your-app/sibling-apps'

/** Somebody with a copy of the access cookie of a second browser, which signs in as `open` says. */
async function copyOf(server: Server, open: (client: Client, username: string, own: Client) => Promise<unknown>) {
  const own = new Client(server)
  const who = await signUp(own)
  const client = new Client(server)
  await open(client, who.username, own)
  const cookie = accessCookieOf(client)
  const { Accept, ...app } = forPage(APP)
  return { own, client, who, ask: () => askForwardAuth(server, { ...cookie, ...app }) }
}

const byPassword = (client: Client, username: string) => signInWithPassword(client, username)

const ENDINGS: Record<
  string,
  (ended: { own: Client; client: Client; server: Server; id: string; username: string }) => Promise<unknown>
> = {
  'signing out': ({ client }) => client.post('/api/signout'),
  'signing out everywhere': ({ own }) => own.post('/api/i/signout-everywhere'),
  'signing out everywhere else': ({ own }) => own.post('/api/i/signout-everywhere', { exceptThis: true }),
  'ending that session from the list': async ({ own }) => {
    const { sessions } = (await own.post('/api/i/sessions')).body
    const { id } = sessions.find(({ current }: { current: boolean }) => !current)
    expect((await own.post('/api/i/sessions/revoke', { id })).status).toBe(204)
  },
  'a change of the password': ({ own }) => changePassword(own, 'another horse, another staple', PASSWORD),
  'removing the password that opened it': async ({ own, server }) => {
    await register(own, new Authenticator(server.origin))
    expect((await own.post('/api/i/password/remove')).status).toBe(204)
  },
  'a newer sign-in in the same browser': ({ client, username }) => byPassword(client, username),
  'disabling the account': ({ server, id }) => accountsCommand(server, 'disable', id),
  'disabling and enabling the account': async ({ server, id }) => {
    await accountsCommand(server, 'disable', id)
    await accountsCommand(server, 'enable', id)
  },
  'deleting the account': ({ own }) => own.post('/api/i/delete'),
}

for (const [ending, end] of Object.entries(ENDINGS)) {
  test(`a copied access cookie is worth nothing after ${ending}`, async ({ accounts: server }) => {
    const { own, client, who, ask } = await copyOf(server, byPassword)
    expectIdentity(await ask(), who)
    await end({ own, client, server, ...who })
    expectNobody(await ask())
  })
}

test('a copied access cookie is worth nothing after the passkey that opened its session was removed', async ({
  accounts: server,
}) => {
  const authenticator = new Authenticator(server.origin)
  const { own, who, ask } = await copyOf(server, async (client, username, own) => {
    await register(own, authenticator)
    await authenticate(client, authenticator, username)
  })
  expectIdentity(await ask(), who, 'passkey')
  const id = authenticator.passkeys[0]?.id
  expect((await own.post('/api/i/passkeys/remove', { id })).status).toBe(204)
  expectNobody(await ask())
})

test('a copied access cookie is worth nothing after the codes that opened its session were replaced', async ({
  accounts: server,
}) => {
  const { own, who, ask } = await copyOf(server, async (client, username, own) => {
    const [code] = await createRecoveryCodes(own)
    await signInWithRecoveryCode(client, username, code)
  })
  expectIdentity(await ask(), who, 'recovery')
  await createRecoveryCodes(own)
  expectNobody(await ask())
})

test('forward-auth takes no access cookie that names no session, another epoch, or a passkey that is gone', async ({
  accounts: server,
}) => {
  const client = new Client(server)
  const who = await signUp(client)
  const token = client.jar.get('__Secure-access') ?? ''
  const ask = async (claims: Record<string, unknown>) =>
    askForwardAuth(server, { Cookie: `__Secure-access=${await resignAccess(token, server.secret, { claims })}` })
  expectIdentity(await ask({}), who)
  const { epoch } = decodeJwt<{ epoch: number }>(token)
  for (const claims of [{ sid: undefined }, { epoch: undefined }, { epoch: epoch + 1 }, { epoch: -1 }, { pk: 'gone' }])
    expectNobody(await ask(claims))
})

test('forward-auth takes no access cookie of a disabled account, whatever epoch it names', async ({
  accounts: server,
}) => {
  const client = new Client(server)
  const { id } = await signUp(client)
  const token = client.jar.get('__Secure-access') ?? ''
  await accountsCommand(server, 'disable', id)
  const { epoch } = decodeJwt<{ epoch: number }>(token)
  const current = await resignAccess(token, server.secret, { claims: { epoch: epoch + 1 } })
  expectNobody(await askForwardAuth(server, { Cookie: `__Secure-access=${current}` }))
})

test('the access cookie names its session and no username', async ({ accounts: server }) => {
  const client = new Client(server)
  const { username, token } = await signUp(client)
  const { jti: sid, epoch, sub } = decodeJwt(token)
  const claims = decodeJwt(client.jar.get('__Secure-access') ?? '')
  expect(claims).toMatchObject({ sid, epoch, sub })
  expect(claims).not.toHaveProperty('preferred_username')
  expect(JSON.stringify(claims)).not.toContain(username)
  // One that /api/access renews keeps to the same session.
  await client.get('/api/access')
  expect(decodeJwt(client.jar.get('__Secure-access') ?? '')).toMatchObject({ sid, epoch })
})
