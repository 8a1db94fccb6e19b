import {
  authenticate,
  changeUsername,
  createRecoveryCodes,
  PASSWORD,
  randomName,
  register,
  registrationOptions,
  signInWithPassword,
  signInWithRecoveryCode,
  signUp,
} from '../../support/accounts'
import { expectError, expectSignedIn, expectSignedOut } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'

const ROUNDS = 2

test('changing the password revokes sessions of sign-ins with the old password that were under way @storage @promise', async ({
  client,
  another,
}) => {
  const { username } = await signUp(client)
  for (let round = 0; round < ROUNDS; round += 1) {
    const [now, next] = [round === 0 ? PASSWORD : `password number ${round}`, `password number ${round + 1}`]
    const [changed, ...others] = await Promise.all([
      client.post('/api/i/password', { password: next, currentPassword: now }),
      ...Array.from({ length: 4 }, () => signInWithPassword(another(), username, now)),
    ])
    expect(changed.status, changed.text).toBe(200)
    expect((await signInWithPassword(client, username, next)).status).toBe(200)
    for (const { status, body } of others) {
      expect([200, 401]).toContain(status)
      if (status === 200) await expectSignedOut(another({ bearer: body.token }))
    }
    await expectSignedIn(client)
  }
})

test('requests under way while an account is deleted end without an internal error and leave nothing behind @storage', async ({
  client,
  another,
  authenticator,
}) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { username, token, stepUp } = await signUp(client)
    const [code] = await createRecoveryCodes(client)
    const own = () => another({ bearer: token, stepUp })
    const adding = await Promise.all(Array.from({ length: 3 }, () => registrationOptions(own())))
    const answers = await Promise.all([
      ...adding.map((options) => own().post('/api/auth/register/verify', authenticator.create(options))),
      own().post('/api/i/recovery-codes'),
      changeUsername(own(), `${username}-2`),
      signInWithRecoveryCode(another(), username, code),
      own().post('/api/i/delete'),
    ])
    for (const { status, text } of answers) expect([200, 201, 204, 401], text).toContain(status)
    expect(answers.at(-1)?.status).toBe(204)
    await expectSignedOut(own())
    // Retired with the account; the other one, if the rename was first.
    const again = (name: string) => another().post('/api/signup', { username: name, password: PASSWORD })
    expectError(await again(username), 409, 'username_taken')
    expect([201, 409]).toContain((await again(`${username}-2`)).status)
  }
})

test('setting a first password while removing the last passkey leaves a way to sign in @storage', async ({
  another,
  authenticator,
}) => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const client = another()
    const username = randomName()
    const made = await register(client, authenticator, username)
    const own = () => another({ bearer: made.body.token, stepUp: made.body.stepUp })
    const [removed, set] = await Promise.all([
      own().post('/api/i/passkeys/remove', { id: made.body.passkey.id }),
      own().post('/api/i/password', { password: PASSWORD }),
    ])
    expect([200, 409, 401], removed.text).toContain(removed.status)
    // The session may have gone with its passkey.
    expect([200, 401], set.text).toContain(set.status)
    const left = await Promise.all([signInWithPassword(another(), username), authenticate(another(), authenticator)])
    expect(left.map(({ status }) => status)).toContain(200)
  }
})
