import { frameworks } from './frameworks.mjs'

/**
 * What runs: the scripts, the programs, the pages and the route files.
 *
 * @type {import('../rooms.mjs').Room[]}
 */
export const entryPoints = [
  {
    room: 'scripts',
    inner: ['build', 'support', 'tables', 'walls', 'walls/rooms'],
    importsOnly: ['scripts/command-line'],
    why: 'What builds runs before anything is bundled.',
  },
  {
    room: 'scripts/programs',
    inner: ['accounts/account', 'accounts/apps', 'accounts/command', 'accounts/data', 'accounts/groups', 'doctor'],
    imports: ['server.ts', 'lib/openid/operator', 'lib/auth/operator/import', 'scripts/command-line'],
    why: 'What Node runs imports nothing that is made for the browser.',
  },
  {
    room: 'scripts/command-line',
    packages: ['commander'],
    why: 'What builds and what is built share it.',
  },
  { room: 'server.ts', imports: ['lib/http/node/pages', 'lib/http/node/connections', 'lib/lifecycle.ts'] },
  { room: 'instrumentation.ts', imports: ['lib/http/node', 'lib/lifecycle.ts'] },
  {
    room: 'proxy.ts',
    importsOnly: ['lib/http/preparation', 'lib/api'],
    without: ['@simplewebauthn'],
    why: 'The proxy reads no database.',
  },
  {
    room: 'app/**/*.tsx',
    importsOnly: [
      'components/account/secure',
      'components/account/notices',
      'components/account/welcome',
      'components/account/suggestions',
      'components/account/activity',
      'components/account/sessions',
      'components/account/recovery',
      'components/account/settings',
      'components/apps',
      'components/passkeys',
      'components/account',
      'components/auth/home',
      'components/auth/sign-in',
      'components/auth/sign-up',
      'components/auth',
      'components/ui',
      'app/load-page.ts',
      'lib/http/pages',
      'lib/http/preparation',
      'lib/http/visitor',
      'lib/activity',
      'lib/messages',
      'lib/api',
    ],
    without: ['@simplewebauthn'],
    why: 'Pages ask lib/http.',
  },
  {
    room: 'app/load-page.ts',
    importsOnly: ['lib/http/pages', 'lib/http/visitor', 'lib/messages', 'lib/api'],
    without: ['@simplewebauthn'],
    why: 'It asks lib/http, as pages do.',
  },
  {
    room: 'app/**/route.ts',
    importsOnly: [
      'lib/http/resources',
      'lib/http',
      'lib/http/sessions',
      'lib/auth/passkeys',
      'lib/auth/account',
      'lib/auth/account/events',
      'lib/auth/passwords',
      'lib/auth/recovery',
      'lib/auth/sessions/revocation',
      'lib/auth/sessions',
      'lib/api',
      'lib/openid/requests',
      'lib/openid/logout',
      'lib/openid/tokens',
      'lib/openid/grants',
      'lib/delivery',
    ],
    without: frameworks,
    why: 'A route file turns a Request into a Response, without Next.',
  },
]
