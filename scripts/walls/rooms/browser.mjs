import { frameworks } from './frameworks.mjs'

const inBrowser = [...frameworks, 'zod', 'node:*']
const notInComponents = ['@simplewebauthn', 'node:*']

/**
 * What the browser runs.
 *
 * @type {import('../rooms.mjs').Room[]}
 */
export const browser = [
  { room: 'components/apps', imports: ['components/account'], without: notInComponents },
  {
    room: 'components/passkeys',
    door: ['add-passkey', 'passkey-card', 'passkey-messages'],
    imports: ['components/account'],
    without: notInComponents,
  },
  {
    room: 'components/account/secure',
    door: ['secure-steps'],
    imports: ['components/account/sessions', 'components/account/recovery', 'components/account/settings'],
    without: notInComponents,
  },
  {
    room: 'components/account/welcome',
    door: ['setup-summary', 'protect-account'],
    imports: ['components/account/recovery'],
    without: notInComponents,
  },
  { room: 'components/account/notices', imports: ['components/account/activity'], without: notInComponents },
  {
    room: 'components/account/suggestions',
    door: ['suggestions'],
    imports: ['components/account'],
    without: notInComponents,
  },
  {
    room: 'components/account/activity',
    door: ['activity', 'event-source'],
    imports: ['components/account'],
    without: notInComponents,
  },
  {
    room: 'components/account/sessions',
    door: ['sessions', 'sign-out-elsewhere'],
    imports: ['components/account'],
    without: notInComponents,
  },
  {
    room: 'components/account/recovery',
    door: ['recovery-codes-setting', 'recovery-code-sheet', 'code-messages', 'use-create-codes'],
    imports: ['components/account'],
    without: notInComponents,
  },
  {
    room: 'components/account/settings',
    door: ['username-setting', 'password-setting', 'passkey-count', 'delete-account'],
    imports: ['components/account'],
    without: notInComponents,
  },
  {
    room: 'components/account',
    inner: ['forms', 'frame', 'reauthentication'],
    imports: ['components/auth', 'lib/browser/account'],
    without: notInComponents,
  },
  { room: 'components/auth/home', imports: ['components/auth'], without: notInComponents },
  {
    room: 'components/auth/sign-in',
    door: ['sign-in-methods', 'sign-in-title', 'sign-up-hint', 'forget-link'],
    imports: ['components/auth'],
    without: notInComponents,
  },
  {
    room: 'components/auth/sign-up',
    door: ['sign-up-form', 'no-sign-up', 'invitation-title'],
    imports: ['components/auth'],
    without: notInComponents,
  },
  { room: 'components/auth', imports: ['components/ui', 'lib/browser/sign-in'], without: notInComponents },
  {
    room: 'components/ui',
    inner: ['page', 'forms', 'feedback', 'words', 'icons'],
    importsOnly: [
      'lib/browser/failures/outcomes',
      'lib/browser/passkeys/prompt',
      'lib/messages',
      'lib/api',
      'lib/mark.ts',
    ],
    without: notInComponents,
    why: 'It knows nothing of accounts.',
  },
  {
    room: 'lib/browser/account',
    imports: ['lib/browser/sign-in'],
    without: inBrowser,
    why: 'What the pages of a signed-in person do.',
  },
  { room: 'lib/browser/sign-in', imports: ['lib/browser/passkeys'], without: inBrowser },
  { room: 'lib/browser/passkeys', imports: ['lib/browser/requests'], without: inBrowser },
  {
    room: 'lib/browser/requests',
    imports: ['lib/browser/failures', 'lib/browser/state'],
    without: inBrowser,
    why: 'It reaches the server over HTTP alone.',
  },
  {
    room: 'lib/browser/failures',
    imports: ['lib/messages', 'lib/api'],
    without: inBrowser,
    why: 'It knows no action.',
  },
  {
    room: 'lib/browser/state',
    imports: ['lib/activity'],
    without: inBrowser,
    why: 'It calls nobody.',
  },
]
