import { readFileSync } from 'node:fs'
import { expect, test } from '../../support/fixtures'

const icon = readFileSync('public/icon.svg', 'utf8')

test('a range that a file has is answered with that part', { tag: '@pages' }, async ({ client }) => {
  for (const [range, part] of [
    ['bytes=0-9', icon.slice(0, 10)],
    [`bytes=${icon.length - 3}-`, icon.slice(-3)],
    ['bytes=5-99999999', icon.slice(5)],
    ['bytes=-4', icon.slice(-4)],
  ] as const) {
    const response = await client.get('/icon.svg', { headers: { range } })
    expect([response.status, response.text], range).toEqual([206, part])
  }
})

test('a range that a file does not have, and a condition that does not hold, are answered with the whole file', {
  tag: '@pages',
}, async ({ client }) => {
  const none = [
    `bytes=${icon.length}-`,
    'bytes=5-1',
    'bytes=-0',
    `bytes=-${icon.length + 1}`,
    'bytes=x',
    'bytes=0-1,5-1',
  ]
  const conditions = [{ 'if-match': '"x"' }, { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }]
  for (const headers of [
    ...none.map((range) => ({ range })),
    ...conditions.map((condition) => ({ range: 'bytes=0-9', ...condition })),
  ])
    for (const path of ['/icon.svg', '/%69con.svg', '/x/../icon.svg']) {
      const response = await client.get(path, { headers })
      expect([response.status, response.text], `${path} ${JSON.stringify(headers)}`).toEqual([200, icon])
    }
})
