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

  test('an origin of an app may have a name, by which the profile opens it if it is one of the web', () => {
    const CLIENT_ORIGINS = 'Notes=https://notes.example.com/, Phone=capacitor://localhost, https://other.example'
    expect(read({ CLIENT_ORIGINS }).settings).toMatchObject({
      clientOrigins: ['https://notes.example.com', 'capacitor://localhost', 'https://other.example'],
      clientTiles: [{ name: 'Notes', url: 'https://notes.example.com' }],
    })
    expect(read({ CLIENT_ORIGINS: 'Notes=notes.example.com' }).faults).toEqual([
      expect.stringContaining('"notes.example.com" is not one'),
    ])
  })

  test('origins and an RP ID with a default port, capitals or letters of other scripts are those that browsers send', () => {
    const given = { APP_ORIGIN: 'https://ID.Bücher.example:443/, https://id.example.com:8443', RP_ID: 'Bücher.example' }
    expect(
      read({ ...given, CLIENT_ORIGINS: 'https://bücher.example:443, http://localhost:80' }).settings,
    ).toMatchObject({
      origins: ['https://id.xn--bcher-kva.example', 'https://id.example.com:8443'],
      rpId: 'xn--bcher-kva.example',
      clientOrigins: ['https://xn--bcher-kva.example', 'http://localhost'],
    })
    expect(read({ BACKEND_URL: 'http://10.0.0.5:80' }).settings?.backendUrl).toBe('http://10.0.0.5')
    for (const APP_ORIGIN of [
      'https://a.example/?',
      'https://a.example#',
      'https://me@a.example',
      'https://a.example:',
      'https:a.example',
    ])
      expect(read({ APP_ORIGIN }).faults, APP_ORIGIN).toEqual(
        APP_ORIGIN.endsWith(':') ? [] : [expect.stringMatching(/^APP_ORIGIN must be an origin/)],
      )
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
