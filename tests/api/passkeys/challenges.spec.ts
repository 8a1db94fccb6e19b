import {
  authenticationOptions,
  randomName,
  registrationOptions,
  signUp,
  signUpWithPasskey,
} from '../../support/accounts'
import { expectAuthenticationFailed, expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

const VERIFY_AUTHENTICATION = '/api/auth/login/verify'
const VERIFY_REGISTRATION = '/api/auth/register/verify'

test('one assertion sent twenty times at once signs in once @storage @promise', async ({
  client,
  another,
  authenticator,
}) => {
  await signUpWithPasskey(client, authenticator)
  const assertion = authenticator.get(await authenticationOptions(another()))
  const answers = await Promise.all(Array.from({ length: 20 }, () => another().post(VERIFY_AUTHENTICATION, assertion)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(401)])
  for (const answer of answers.filter(({ status }) => status === 401)) expectAuthenticationFailed(answer)
})

test('one registration sent twenty times at once registers once @storage', async ({
  client,
  another,
  authenticator,
}) => {
  const registration = authenticator.create(await registrationOptions(client, randomName()))
  const answers = await Promise.all(Array.from({ length: 20 }, () => another().post(VERIFY_REGISTRATION, registration)))
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(401)])
})

test('a failed ceremony consumes its challenge @promise', async ({ client, another, authenticator }) => {
  const username = randomName()
  const making = await registrationOptions(client, username)
  expectAuthenticationFailed(
    await client.post(VERIFY_REGISTRATION, authenticator.create(making, { rpId: 'evil.example' })),
  )
  expectAuthenticationFailed(await client.post(VERIFY_REGISTRATION, authenticator.create(making)))
  await signUp(another(), username)

  await signUpWithPasskey(client, authenticator)
  const options = await authenticationOptions(another())
  expectAuthenticationFailed(
    await another().post(VERIFY_AUTHENTICATION, authenticator.get(options, { corruptSignature: true })),
  )
  expectAuthenticationFailed(await another().post(VERIFY_AUTHENTICATION, authenticator.get(options)))
})

test('a challenge for adding a passkey is rejected without the session that requested it @promise', async ({
  client,
  another,
  authenticator,
}) => {
  await signUp(client)
  const [other, visitor, signedOut] = [another(), another(), another()]
  await signUp(other)
  const { token } = await signUp(signedOut)
  const options = [
    await registrationOptions(client),
    await registrationOptions(client),
    await registrationOptions(signedOut),
  ]
  await signedOut.post('/api/signout')
  signedOut.jar.set('latchkey-session', token)
  for (const [index, thief] of [other, visitor, signedOut].entries()) {
    const making = options[index] as (typeof options)[0]
    const answer = await thief.post(VERIFY_REGISTRATION, authenticator.create(making))
    expectAuthenticationFailed(answer)
  }
  expect((await expectSignedIn(client)).passkeys).toEqual([])
  expect((await expectSignedIn(other)).passkeys).toEqual([])
})

test('a challenge for a new account adds no passkey to an account signed in meanwhile @promise', async ({
  client,
  another,
  authenticator,
}) => {
  const options = await registrationOptions(another(), randomName())
  const { token } = await signUp(client)
  expectAuthenticationFailed(await client.post(VERIFY_REGISTRATION, authenticator.create(options)))
  const me = await expectSignedIn(another({ bearer: token }))
  expect(me.passkeys).toEqual([])
})

test('the log says why a passkey response is rejected, with the id of its request', async ({
  client,
  another,
  authenticator,
  server,
}) => {
  await signUpWithPasskey(client, authenticator)
  const answered = authenticator.get(await authenticationOptions(another()))
  expect((await another().post(VERIFY_AUTHENTICATION, answered)).status).toBe(200)
  const rejected = async (tampering: Parameters<typeof authenticator.get>[1], asking = another(), answering = asking) =>
    answering.post(VERIFY_AUTHENTICATION, authenticator.get(await authenticationOptions(asking), tampering))
  const answers = {
    'the challenge was used before': await another().post(VERIFY_AUTHENTICATION, answered),
    'the challenge has expired, or is none of ours': await rejected({ challenge: 'bm9uZSBvZiBvdXJz' }),
    'the challenge was issued to another session': await rejected({}, client, another()),
    'the response is cross-origin': await rejected({ crossOrigin: true }),
    "the user handle is missing, or not the passkey's": await rejected({ userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }),
    'the signature is invalid': await rejected({ corruptSignature: true }),
  }
  for (const [reason, answer] of Object.entries(answers)) {
    expectAuthenticationFailed(answer)
    const request = String(answer.headers['x-request-id'])
    const lines = () =>
      server
        .output()
        .split('\n')
        .filter((line) => line.includes(request) && line.includes('Passkey verification failed'))
    await expect.poll(lines).toHaveLength(1)
    expect(JSON.parse(lines()[0] ?? '')).toMatchObject({ code: 'authentication_failed', reason })
  }
})
