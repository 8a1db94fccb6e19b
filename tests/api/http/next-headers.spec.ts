import { readFileSync } from 'node:fs'
import { expect, test } from '../../support/fixtures'
import { exchange, rawRequest, statusOf } from '../../support/network/raw-http'

for (const mode of ['node', 'next'] as const)
  test(`${mode} ignores a header by which Next has a page rendered anew, even with the id of the build @promise`, {
    tag: '@pages',
  }, async ({ start }) => {
    const { preview } = JSON.parse(readFileSync('.next/prerender-manifest.json', 'utf8'))
    expect(preview.previewModeId).toMatch(/./)
    const headers = { 'X-Prerender-Revalidate': preview.previewModeId, 'X-Prerender-Revalidate-If-Generated': '1' }
    const { port } = await start({ mode })
    for (const [path, status] of [
      ['/signin', 200],
      ['/nowhere', 404],
    ] as const)
      expect(statusOf(await exchange(port, rawRequest('GET', path, headers))), path).toBe(status)
    expect(statusOf(await exchange(port, rawRequest('GET', '/api/health')))).toBe(200)
  })
