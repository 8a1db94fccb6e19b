import { createPrivateKey, createPublicKey, type JsonWebKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { authenticate, PASSWORD, signInWithPassword } from '../../support/accounts'
import { Client } from '../../support/client'
import { expectSignedIn } from '../../support/expectations'
import { expect, test } from '../../support/fixtures'
import { importRows } from '../../support/operator/account-imports'
import { withoutSchema } from '../../support/storage/postgres-programs'
import { executeSql, readSql } from '../../support/storage/sql'
import { Authenticator } from '../../support/webauthn/authenticator'

const products = new URL('../../support/operator/products/', import.meta.url)
const guide = readFileSync(new URL('../../../docs/migrate.md', import.meta.url), 'utf8')

/** Passkeys that were made at the products, with the keys that their authenticator would keep. */
const passkeys = JSON.parse(readFileSync(new URL('passkeys.json', products), 'utf8')) as Record<
  string,
  { id: string; rpId: string; userHandle: string; privateKey: JsonWebKey }
>

/** The query that the guide gives for a product. */
const queryFor = (product: string) => guide.split(`\n## ${product}\n`)[1]?.match(/```sql\n(.*?)```/s)?.[1] ?? ''

/** A product's users, and which of them has a passkey, and a verified address. */
const PRODUCTS: {
  product: string
  dump: string
  users: Record<string, string>
  passkeyOf?: string
  verified?: string
  id: string
}[] = [
  {
    product: 'Auth.js',
    dump: 'auth-js.sql',
    users: { 'ann@auth-js.example': PASSWORD },
    passkeyOf: 'ann@auth-js.example',
    id: 'cm3x2v9k10000ab8j4h5d6e7f',
  },
  {
    product: 'better-auth',
    dump: 'better-auth.sql',
    users: { 'bea@better-auth.example': 'ofﬁce ångström', 'ben@better-auth.example': PASSWORD },
    passkeyOf: 'bea@better-auth.example',
    id: 'MUll52RsvtJKx2y0A4lT0YHXeRTUBm6g',
  },
  { product: 'Django', dump: 'django.sql', users: { dora: PASSWORD, dan: PASSWORD, dee: PASSWORD }, id: '1' },
  {
    product: 'Hanko',
    dump: 'hanko.sql',
    users: { 'hal@hanko.example': PASSWORD },
    passkeyOf: 'hal@hanko.example',
    verified: 'hal@hanko.example',
    id: '6f1c2a3e-5b7d-4c9a-8e0f-1a2b3c4d5e6f',
  },
]

for (const { product, dump, users, passkeyOf, verified, id } of PRODUCTS) {
  test(`people who come from ${product} by the guide's query sign in with what they had`, {
    tag: '@networked',
  }, async ({ emptyStores, startShared }) => {
    const server = await startShared()
    const another = () => new Client(server)
    const old = withoutSchema(`${emptyStores().DATABASE_URL}`)
    executeSql(old, readFileSync(new URL(dump, products), 'utf8'))
    const { code, answer } = await importRows(server, readSql(old, queryFor(product)))
    expect({ code, answer }).toMatchObject({ code: 0, answer: { refused: [] } })
    const ids: string[] = []
    for (const [username, password] of Object.entries(users)) {
      const client = another()
      expect((await signInWithPassword(client, username, password)).status, username).toBe(200)
      const account = await expectSignedIn(client)
      ids.push(account.id)
      expect(account.email).toBe(username === verified ? username : null)
    }
    expect(ids).toContain(id)
    const held = passkeys[product]
    if (!held) return
    const authenticator = new Authenticator(server.origin)
    const privateKey = createPrivateKey({ key: held.privateKey, format: 'jwk' })
    authenticator.passkeys.push({ ...held, algorithm: 'ES256', privateKey, publicKey: createPublicKey(privateKey) })
    expect((await authenticate(another(), authenticator)).body.user).toMatchObject({ id, username: passkeyOf })
    // Whatever it was made under, it is that from now on.
    const stranger = { userHandle: Buffer.alloc(16).toString('base64url') }
    expect((await authenticate(another(), authenticator, undefined, stranger)).status).toBe(401)
  })
}
