import { readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import { findProvider } from '@/lib/auth/passkey'

test('a known AAGUID has a provider, and zeros or an unknown AAGUID have none', () => {
  expect(findProvider('ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4')).toBe('Google Password Manager')
  expect(findProvider('00000000-0000-0000-0000-000000000000')).toBeNull()
  expect(findProvider('01020304-0506-0708-0102-030405060708')).toBeNull()
})

test('each AAGUID is listed once and well-formed, and every provider has an icon of its own', () => {
  const registry = readFileSync('lib/auth/passkey.ts', 'utf8')
  const ids = registry.match(/'[0-9a-f-]{36}'/g) ?? []
  for (const id of ids) expect(id).toMatch(/^'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'$/)
  expect(new Set(ids).size).toBe(ids.length)
  const icons = readFileSync('components/passkeys/provider-icon.tsx', 'utf8')
  const names = new Set(ids.map((id) => findProvider(id.slice(1, -1))))
  for (const name of names) expect(icons).toMatch(new RegExp(`^  '?${name}'?: \\['#`, 'm'))
  const drawings = [...icons.matchAll(/: \[('#\w{6}', shapes\.\w+)\]/g)].map(([, drawing]) => drawing)
  expect(drawings).toHaveLength(names.size)
  expect(new Set(drawings).size, 'no two providers share an icon').toBe(drawings.length)
})
