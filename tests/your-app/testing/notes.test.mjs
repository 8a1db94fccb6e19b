import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createPerson, deletePeople, signInTo } from 'latchkey-kit/testing'

after(deletePeople)

test('Grace sees her notes', async () => {
  const grace = await createPerson({ displayName: 'Grace Hopper' })
  const { url, cookie } = await signInTo('http://localhost:5173/notes', grace)
  const page = await fetch(url, { headers: { cookie } })
  assert.match(await page.text(), /Notes of Grace Hopper/)
})
