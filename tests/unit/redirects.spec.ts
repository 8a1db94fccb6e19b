import '../support/unit-environment'
import { expect, test } from 'playwright/test'
import { safeRedirect } from '@/lib/http/redirects'

test('next leads on to paths of our own', () => {
  for (const path of ['/passkeys', '/profile?a=b#c', '/', '/a%2Fb']) expect(safeRedirect(path)).toBe(path)
})

test('next leads to no other site, however it is written', () => {
  const evil = [
    'https://evil.example',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\/evil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    '/./\\evil.example',
    '/..//evil.example',
    '/.//evil.example',
    'javascript:alert(1)',
    ' //evil.example',
    'evil.example',
    '',
  ]
  for (const next of evil)
    expect(new URL(safeRedirect(next), 'http://here.example').origin, next).toBe('http://here.example')
  for (const next of evil) expect(new URL(safeRedirect(next), 'http://here.example').host, next).not.toContain('evil')
  expect(safeRedirect(undefined)).toBe('/profile')
  expect(safeRedirect(['/passkeys', '/x'])).toBe('/profile')
})
