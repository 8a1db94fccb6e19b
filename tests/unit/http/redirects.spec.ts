import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import {
  afterSignIn,
  afterSignInViaNotices,
  afterSignUp,
  appHost,
  destinationFrom,
  safeNext,
} from '@/lib/http/request/redirects'

test('next leads on to paths of our own', () => {
  for (const path of ['/passkeys', '/profile?a=b#c', '/', '/a%2Fb']) expect(safeNext(path)).toBe(path)
})

test('next leads to addresses of listed apps', () => {
  const addresses = [
    'https://app.example.com/',
    'https://app.example.com/a/b?c=d#e',
    'https://app.example.com/?next=https://evil.example',
    'http://localhost:5173/',
    'capacitor://localhost/page',
    'capacitor://localhost',
  ]
  for (const address of addresses) expect(safeNext(address)).toBe(address)
  expect(safeNext('https://app.example.com')).toBe('https://app.example.com/')
})

test('next leads to no address that only resembles one of a listed app', () => {
  const near = [
    'https://app.example.com.evil.com/',
    'https://app.example.com@evil.com/',
    'https://app.example.com:8443/',
    'https://app.example.com\\@evil.com/',
    'https://app.example.com\t.evil.com/',
    'https:/\\app.example.com/',
    'https:app.example.com',
    'http://localhost:51730/',
    'http://localhost/',
    'http://app.example.com/',
    'https://me@app.example.com/',
    'https://evil.example.co/?https://app.example.com/',
    'capacitor://localhost.evil.com/',
    'capacitor:localhost/',
    'javascript:alert(1)//https://app.example.com/',
    ' https://app.example.com/',
    ' https://app.example.com.evil.com',
    'HTTPS://APP.EXAMPLE.COM.evil.com',
    'https://app.example.com\\.evil.com/',
    'https://app.example.com%2eevil.com/',
    'https://evil.example/https://app.example.com/',
    'https://other.example.com/',
    'https:/\\evil.example',
    'https:evil.example',
    'data:text/html,x',
    'null',
  ]
  for (const next of near) expect(safeNext(next), next).toBe('/profile')
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
    expect(new URL(safeNext(next), 'http://here.example').origin, next).toBe('http://here.example')
  for (const next of evil) expect(new URL(safeNext(next), 'http://here.example').host, next).not.toContain('evil')
  expect(safeNext(undefined)).toBe('/profile')
  expect(safeNext(['/passkeys', '/x'])).toBe('/profile')
})

test('HOME_URL is where sign-in goes on to without next, and gives a next no further address', () => {
  expect(afterSignIn(undefined)).toBe('https://home.example.com/start')
  expect(afterSignIn('/passkeys')).toBe('/passkeys')
  for (const next of ['https://evil.example/', 'https://home.example.com/start', '', ['/passkeys', '/passkeys']])
    expect(afterSignIn(next), String(next)).toBe('/profile')
})

test('the ways by /notices and /welcome carry only what next admits', () => {
  expect(afterSignInViaNotices(undefined)).toBe('/notices')
  expect(afterSignInViaNotices('https://app.example.com/a#b')).toBe(
    '/notices?next=https%3A%2F%2Fapp.example.com%2Fa%23b',
  )
  expect(afterSignUp('/passkeys')).toBe('/welcome?next=%2Fpasskeys')
  for (const next of ['https://evil.example/', '//evil.example', '/profile#password']) {
    expect(afterSignInViaNotices(next), next).toMatch(/^\/profile(#password)?$/)
    expect(afterSignUp(next), next).toBe('/welcome')
  }
  expect(afterSignUp(undefined)).toBe('/welcome')
})

test('a page that stands between leads to no address that next does not admit, and not to itself', () => {
  expect(destinationFrom('/notices', undefined)).toBe('https://home.example.com/start')
  expect(destinationFrom('/notices', 'https://app.example.com')).toBe('https://app.example.com/')
  for (const next of ['https://evil.example/', '//evil.example', '/notices', '/notices?next=/x', '/notices#x'])
    expect(destinationFrom('/notices', next), next).toBe('/profile')
})

test('an app is called by its host, anything else by none', () => {
  expect(appHost('https://app.example.com/a')).toBe('app.example.com')
  for (const next of ['/profile', 'https://evil.example/', 'https://app.example.com.evil.example/'])
    expect(appHost(next), next).toBeNull()
})
