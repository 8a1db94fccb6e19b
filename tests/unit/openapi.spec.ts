import { execFileSync } from 'node:child_process'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, test } from 'playwright/test'
import { openApiDocument } from '@/lib/api/openapi'

test('the OpenAPI document passes the recommended rules of its linter', async () => {
  // The GETs take nothing that could be wrong, and one of them succeeds with a redirect.
  const rules = { 'operation-4xx-response': 'off', 'operation-2xx-response': 'off' } as const
  const config = await createConfig({ extends: ['recommended'], rules })
  const problems = await lintFromString({ source: JSON.stringify(openApiDocument()), config })
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([])
})

test('the OpenAPI document names what GETs read besides credentials', () => {
  const { paths } = openApiDocument() as {
    paths: Record<string, { get: { parameters?: { in: string; name: string }[] } }>
  }
  const parametersOf = (path: string) => paths[path]?.get.parameters?.map(({ in: where, name }) => `${where} ${name}`)
  expect(parametersOf('/api/access')).toEqual(['query next'])
  expect(parametersOf('/api/forward-auth')).toEqual([
    'query group',
    'header X-Forwarded-Host',
    'header X-Forwarded-Uri',
  ])
  expect(parametersOf('/api/health')).toBeUndefined()
})

test("the README's table of endpoints is that of lib/api/endpoints.ts", () => {
  execFileSync(process.execPath, ['scripts/readme.mjs', '--check'])
})
