import '../../support/unit/environment'
import { expect, test } from 'playwright/test'
import { type AppSpec, faultsByField, idFaults } from '@/lib/openid/apps/spec'

const appFaults = (app: AppSpec) => faultsByField(app).map(({ text }) => text)

const good: AppSpec = {
  id: 'photos',
  name: 'Photos',
  redirectUris: ['https://photos.example.com/callback'],
  signOutUris: [],
  backChannelUri: null,
  homeUrl: null,
  public: false,
  pkce: 'or_nonce',
  trusted: false,
  requirePasskey: false,
  groups: [],
  machine: false,
  device: false,
}

const wrong: [what: string, change: Partial<AppSpec>, fault: RegExp][] = [
  ['without a redirect URI', { redirectUris: [] }, /needs a redirect URI/],
  ['public without PKCE', { public: true, pkce: 'off' }, /public app needs PKCE/],
  ['public with a nonce in place of PKCE', { public: true, pkce: 'or_nonce' }, /public app needs PKCE/],
  ['with a redirect URI that is none', { redirectUris: ['photos'] }, /The URI "photos"/],
  [
    'with a redirect URI that forgets https://',
    { redirectUris: ['budget.example.com:5006/callback'] },
    /write https:\/\//,
  ],
  [
    'with a redirect URI that forgets http://',
    { redirectUris: ['localhost:3000/cb'] },
    /write https:\/\/.* for localhost/,
  ],
  ['with a sign-out URI that is none', { signOutUris: ['photos'] }, /The URI "photos"/],
  ['with a back-channel URI that is none', { backChannelUri: 'photos' }, /The URI "photos"/],
  ['with a home page that is none', { homeUrl: 'photos' }, /The URI "photos"/],
  ['without a name', { name: '' }, /The name must be/],
  ['with a name that begins with a space', { name: ' Photos' }, /The name must be/],
  ['with a name that turns the line', { name: 'Photos\u202e' }, /The name must be/],
  ['with half a character in its name', { name: 'Photos\ud83d' }, /The name must be/],
  ['with a group in capitals', { groups: ['family', 'Friends'] }, /^"Friends" is no name of a group/],
]

for (const [what, change, fault] of wrong)
  test(`an app ${what} has that one fault`, () => {
    expect(appFaults({ ...good, ...change })).toEqual([expect.stringMatching(fault)])
  })

test('an id with a space, or that is the host of this service, is not for a new app', () => {
  expect(idFaults('my photos')).toEqual([expect.stringMatching(/The id "my photos" must be/)])
  expect(idFaults('LocalHost')).toEqual([expect.stringMatching(/LocalHost is a host that the settings name/)])
  expect(idFaults('photos')).toEqual([])
})

test('an app may have an address of each kind or a custom scheme, and be public with PKCE or confidential without', () => {
  const uri = 'https://photos.example.com/'
  expect(appFaults({ ...good, signOutUris: [uri], backChannelUri: uri, homeUrl: uri, groups: ['a', 'b-1'] })).toEqual(
    [],
  )
  expect(appFaults({ ...good, public: true, pkce: 'required' })).toEqual([])
  expect(appFaults({ ...good, pkce: 'off' })).toEqual([])
  const redirectUris = [
    'https://app.example.com',
    'https://app.example.com/?next=a/../b',
    'https://app.example.com:8443/a%2Fb',
    'http://localhost:3000/callback',
    'http://notes.localhost:8080/callback',
    'http://127.0.0.1/',
    'http://[::1]:8080/callback',
    'app.immich:///oauth-callback',
    'com.example.app:/callback',
    'com.example.app:callback',
    'app:/5006',
  ]
  expect(appFaults({ ...good, redirectUris })).toEqual([])
})
