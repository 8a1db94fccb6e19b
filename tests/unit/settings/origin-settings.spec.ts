import { expect, test } from 'playwright/test'
import { read } from '../../support/unit/settings'

test.describe('origins and the RP ID', () => {
  test('an https origin makes cookies secure, and its parent domain may be the RP ID', () => {
    const { settings } = read({ APP_ORIGIN: 'https://id.example.com/, https://app.example.com', RP_ID: 'example.com' })
    expect(settings).toMatchObject({
      origins: ['https://id.example.com', 'https://app.example.com'],
      secureCookies: true,
      originConfigured: true,
      rpId: 'example.com',
    })
  })

  test('an RP ID may cover one of the origins only, and one that covers none is rejected', () => {
    const APP_ORIGIN = 'https://new.example, https://id.old.example'
    expect(read({ APP_ORIGIN, RP_ID: 'old.example' }).settings).toMatchObject({
      origins: ['https://new.example', 'https://id.old.example'],
      rpId: 'old.example',
    })
    for (const RP_ID of ['other.example', 'd.example', 'old.example.com', 'xold.example'])
      expect(read({ APP_ORIGIN, RP_ID }).faults).toEqual([expect.stringMatching(/^RP_ID must be new\.example /)])
  })

  test('origins of apps are read in the spelling that browsers send, each one once', () => {
    const CLIENT_ORIGINS =
      'https://App.Example.com/, capacitor://localhost, http://localhost:5173,https://app.example.com'
    expect(read({ CLIENT_ORIGINS }).settings?.clientOrigins).toEqual([
      'https://app.example.com',
      'capacitor://localhost',
      'http://localhost:5173',
    ])
  })

  test('an Android origin is expected of passkeys only', () => {
    const android = `android:apk-key-hash:${'A'.repeat(43)}`
    const { settings } = read({ APP_ORIGIN: `${android}, https://id.example.com` })
    expect(settings).toMatchObject({
      origins: ['https://id.example.com'],
      passkeyOrigins: ['https://id.example.com', android],
      rpId: 'id.example.com',
    })
  })

  test('the access cookie is for the https apps under its domain', () => {
    const apps = [
      'https://app.example.com',
      'https://example.com:8443',
      'https://badexample.com',
      'capacitor://x.example.com',
    ]
    const of = (APP_ORIGIN: string) =>
      read({ APP_ORIGIN, ACCESS_COOKIE_DOMAIN: 'Example.com', CLIENT_ORIGINS: apps.join(',') })
    const accessCookie = { domain: 'example.com', origins: apps.slice(0, 2) }
    expect(of('https://id.example.com').settings?.accessCookie).toEqual(accessCookie)
    expect(of('https://example.com').settings?.accessCookie).toEqual(accessCookie)
    for (const foreign of ['https://id.example.org', 'https://badexample.com', 'http://localhost:3000']) {
      expect(of(foreign).faults, foreign).toEqual([expect.stringMatching(/^ACCESS_COOKIE_DOMAIN must be the host of/)])
    }
    expect(read({}).settings?.accessCookie).toBeNull()
  })

  test('fingerprints of Android apps are read with and without colons, together for each package', () => {
    const hex = 'ab'.repeat(32)
    const colons = 'AB:'.repeat(32).slice(0, -1)
    const ANDROID_APPS = `com.example.app:${colons}, com.example.app:${'cd'.repeat(32)},com.example.other:${hex}`
    expect(read({ ANDROID_APPS, APPLE_APPS: 'A1B2C3D4E5.com.example.app' }).settings).toMatchObject({
      androidApps: [
        { packageName: 'com.example.app', fingerprints: [colons, 'CD:'.repeat(32).slice(0, -1)] },
        { packageName: 'com.example.other', fingerprints: [colons] },
      ],
      appleApps: ['A1B2C3D4E5.com.example.app'],
    })
  })
})
