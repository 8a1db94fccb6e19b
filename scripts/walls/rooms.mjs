/**
 * The rooms of the source and the arrows between them, from which `npm run walls` writes the linter's rules.
 *
 * @typedef {object} Room
 * @property {string} room a folder, a file of the folder above it in the table, or a pattern of files
 * @property {string[]} [inner] folders below it that are no rooms of their own: all of these may import each other
 * @property {string[]} [door] the only files that other rooms may import
 * @property {string[]} [imports] rooms that it may import, and with them all that those may import
 * @property {string[]} [importsOnly] rooms or files that it alone may import: neither what is behind them nor those who import it
 * @property {string[]} [packages] the only packages that it may import; without it, any but those in `without`
 * @property {string[]} [without] packages that it must not import
 * @property {string} [why] what the linter says beside the list of rooms
 */

const frameworks = ['next', 'react', 'react-dom']
const inBrowser = [...frameworks, 'zod', 'node:*']
const notInComponents = ['@simplewebauthn', 'node:*']

/**
 * Imports go down: a row names only rows below it, so nothing leads back.
 *
 * @type {Room[]}
 */
export const rooms = [
  // What runs.
  {
    room: 'scripts',
    inner: ['build', 'support', 'tables', 'walls'],
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
      'components/account/notices',
      'components/account/suggestions',
      'components/account/activity',
      'components/account/sessions',
      'components/account/recovery',
      'components/account/settings',
      'components/apps',
      'components/passkeys',
      'components/account',
      'components/auth/sign-in',
      'components/auth/sign-up',
      'components/auth',
      'components/ui',
      'app/load-page.ts',
      'lib/browser/account',
      'lib/browser/sign-in',
      'lib/browser/passkeys',
      'lib/browser/requests',
      'lib/browser/failures',
      'lib/browser/state',
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
      'lib/auth/passwords',
      'lib/auth/sessions/ending',
      'lib/auth/sessions',
      'lib/auth/audit',
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

  // What the browser runs.
  { room: 'components/apps', imports: ['components/account'], without: notInComponents },
  {
    room: 'components/passkeys',
    door: ['add-passkey', 'passkey-card', 'passkey-messages'],
    imports: ['components/account'],
    without: notInComponents,
  },
  {
    room: 'components/account/notices',
    imports: [
      'components/account/activity',
      'components/account/sessions',
      'components/account/recovery',
      'components/account/settings',
    ],
    without: notInComponents,
  },
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
    door: ['recovery-codes-setting', 'protect-account'],
    imports: ['components/account'],
    without: notInComponents,
  },
  {
    room: 'components/account/settings',
    door: ['username-setting', 'password-setting', 'passkey-count', 'delete-account'],
    imports: ['components/account'],
    without: notInComponents,
  },
  { room: 'components/account', imports: ['components/auth'], without: notInComponents },
  {
    room: 'components/auth/sign-in',
    door: ['sign-in-methods', 'sign-in-title', 'sign-up-hint', 'forget-link'],
    imports: ['components/auth'],
    without: notInComponents,
  },
  {
    room: 'components/auth/sign-up',
    door: ['sign-up-form', 'no-sign-up'],
    imports: ['components/auth'],
    without: notInComponents,
  },
  { room: 'components/auth', imports: ['components/ui', 'lib/browser/account'], without: notInComponents },
  {
    room: 'components/ui',
    inner: ['page', 'forms', 'feedback', 'words', 'icons'],
    importsOnly: ['lib/browser/failures/errors', 'lib/browser/passkeys/prompt', 'lib/messages', 'lib/api'],
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

  // What the server runs.
  {
    room: 'lib/http/node/pages',
    door: ['pages-listener', 'next'],
    imports: ['lib/http/node'],
    without: ['react', 'react-dom'],
    why: "Next's pages; next.ts alone loads Next.",
  },
  { room: 'lib/http/node/connections', imports: ['lib/http/response'], without: frameworks },
  {
    room: 'lib/http/node',
    imports: ['lib/http', 'lib/http/preparation'],
    without: frameworks,
    why: "What Node's own server needs.",
  },
  {
    room: 'lib/http/preparation',
    imports: ['lib/http/visitor'],
    importsOnly: ['lib/http/response/security-headers'],
    without: frameworks,
    why: 'It runs before every page, and reads no database.',
  },
  {
    room: 'lib/http/pages',
    imports: ['lib/http/context', 'lib/openid/requests', 'lib/openid/logout', 'lib/auth/passkeys'],
    without: frameworks,
    why: 'Pages call no endpoint of their own server.',
  },
  {
    room: 'lib/http/resources',
    imports: ['lib/http/sessions', 'lib/openid/requests', 'lib/openid/logout'],
    without: frameworks,
  },
  {
    room: 'lib/http',
    imports: ['lib/http/identity', 'lib/http/context'],
    without: frameworks,
    why: 'From a Request to a handler and back: it knows no action, no page and no Next.',
  },
  { room: 'lib/http/sessions', imports: ['lib/http/context', 'lib/auth/passkeys'], without: frameworks },
  {
    room: 'lib/http/context',
    imports: ['lib/http/origin'],
    without: frameworks,
    why: 'It knows nothing of what is called.',
  },
  { room: 'lib/http/origin', imports: ['lib/http/response'], without: frameworks, why: 'It knows no caller.' },
  {
    room: 'lib/http/identity',
    door: ['identify-caller', 'expected-account'],
    imports: ['lib/http/request', 'lib/openid/tokens'],
    without: frameworks,
    why: 'Who calls; it knows nothing of what is called.',
  },
  {
    room: 'lib/http/response',
    imports: ['lib/http/remote-backend', 'lib/http/visitor'],
    without: frameworks,
    why: 'It knows no caller.',
  },
  { room: 'lib/http/remote-backend', imports: ['lib/http/request', 'lib/auth/passwords'], without: frameworks },
  {
    room: 'lib/http/visitor',
    imports: ['lib/http/request', 'lib/messages'],
    without: frameworks,
    why: 'It knows no account.',
  },
  { room: 'lib/http/request', imports: ['lib/auth/tokens'], without: frameworks },
  {
    room: 'lib/lifecycle.ts',
    imports: ['lib/telemetry', 'lib/openid/logout', 'lib/auth/webhooks'],
    without: frameworks,
  },
  { room: 'lib/telemetry', door: ['start'], imports: ['lib/auth/passwords'], without: frameworks },
  {
    room: 'lib/openid/operator',
    imports: ['lib/openid/apps', 'lib/openid/keys', 'lib/auth/operator'],
    without: frameworks,
  },
  {
    room: 'lib/openid/requests',
    door: ['authorize', 'pending-request', 'consent', 'parameters', 'interaction'],
    imports: ['lib/openid/tokens', 'lib/openid/require-own-request.ts'],
    without: frameworks,
  },
  {
    room: 'lib/openid/logout',
    door: ['logout', 'back-channel'],
    imports: ['lib/openid/tokens', 'lib/openid/require-own-request.ts'],
    without: frameworks,
  },
  { room: 'lib/openid/require-own-request.ts', imports: ['lib/auth/sessions'], without: frameworks },
  {
    room: 'lib/openid/tokens',
    door: ['token-endpoint', 'revoke', 'userinfo', 'signed-tokens', 'public-session-id'],
    imports: ['lib/openid/issued', 'lib/openid/keys', 'lib/openid/token-lifetime.ts'],
    without: frameworks,
  },
  { room: 'lib/openid/issued', imports: ['lib/openid/grants', 'lib/openid/token-lifetime.ts'], without: frameworks },
  { room: 'lib/openid/grants', imports: ['lib/openid/apps'], without: frameworks },
  { room: 'lib/openid/apps', imports: ['lib/auth/account'], without: frameworks },
  {
    room: 'lib/openid/keys',
    door: ['signing-keys'],
    imports: ['lib/auth/tokens', 'lib/openid/token-lifetime.ts'],
    without: frameworks,
  },
  { room: 'lib/openid/token-lifetime.ts', packages: [] },
  {
    room: 'lib/auth/operator/import',
    door: ['accounts'],
    imports: ['lib/auth/operator'],
    without: frameworks,
  },
  { room: 'lib/auth/operator', imports: ['lib/auth/passkeys'], without: frameworks },
  { room: 'lib/auth/passkeys', imports: ['lib/auth/account'], without: frameworks },
  { room: 'lib/auth/account', imports: ['lib/auth/passwords', 'lib/auth/webhooks'], without: frameworks },
  {
    room: 'lib/auth/passwords',
    imports: ['lib/auth/sessions/ending', 'lib/auth/throttling', 'lib/fair-queue'],
    without: frameworks,
  },
  { room: 'lib/auth/sessions/ending', imports: ['lib/auth/sessions'], without: frameworks },
  { room: 'lib/auth/sessions', imports: ['lib/auth/audit'], without: frameworks },
  { room: 'lib/auth/throttling', imports: ['lib/auth/audit', 'lib/rate-limit'], without: frameworks },
  { room: 'lib/auth/audit', imports: ['lib/auth/tokens'], without: frameworks },
  { room: 'lib/auth/tokens', imports: ['lib/auth/model'], without: frameworks },
  {
    room: 'lib/auth/webhooks',
    door: ['announce', 'sender', 'start'],
    imports: ['lib/auth/model'],
    without: frameworks,
  },
  { room: 'lib/auth/model', imports: ['lib/delivery'], without: frameworks, why: 'It knows nothing of HTTP.' },
  {
    room: 'lib/delivery',
    door: ['outbox', 'delivering', 'senders', 'receiver', 'waiting'],
    imports: ['lib/database'],
    without: frameworks,
    why: 'It knows no sender.',
  },
  {
    room: 'lib/rate-limit',
    door: ['limiter', 'store', 'redis-connection'],
    imports: ['lib/database'],
    without: frameworks,
  },
  { room: 'lib/database', imports: ['lib/database/sqlite', 'lib/database/postgresql'], without: frameworks },
  {
    room: 'lib/database/sqlite',
    inner: ['files'],
    door: ['dialect', 'client', 'files/backup', 'files/restore', 'unavailable'],
    imports: ['lib/database/dialect'],
    without: frameworks,
  },
  {
    room: 'lib/database/postgresql',
    door: ['dialect', 'unavailable'],
    imports: ['lib/database/dialect'],
    without: frameworks,
  },
  {
    room: 'lib/database/dialect',
    imports: ['lib/database/batches.ts', 'lib/database/generated/*', 'lib/settings'],
    without: frameworks,
    why: 'What each database is written with; it knows neither.',
  },
  { room: 'lib/database/generated/*' },
  { room: 'lib/database/batches.ts', packages: ['node:timers/promises'] },
  { room: 'lib/settings', inner: ['branding', 'secret', 'fields'], imports: ['lib/process'], without: frameworks },
  { room: 'lib/process', imports: ['lib/api'], without: frameworks },
  { room: 'lib/fair-queue', packages: [], why: 'It knows nothing of what its jobs do.' },

  // What both run.
  {
    room: 'lib/activity',
    imports: ['lib/messages', 'lib/api'],
    packages: [],
    why: 'It touches neither a page nor a request.',
  },
  { room: 'lib/messages', inner: ['format'], importsOnly: ['lib/api/errors'], packages: [] },
  {
    room: 'lib/api',
    imports: ['lib/api/schemas.ts', 'lib/api/errors.ts', 'lib/api/limits.ts'],
    importsOnly: ['lib/api/endpoints'],
    packages: ['zod'],
    why: 'endpoints.ts is the door of endpoints/.',
  },
  {
    room: 'lib/api/endpoints',
    imports: ['lib/api/schemas.ts', 'lib/api/errors.ts'],
    importsOnly: ['lib/api/oauth-errors.ts'],
    packages: ['zod'],
  },
  { room: 'lib/api/oauth-errors.ts', imports: ['lib/api/errors.ts'], packages: [] },
  {
    room: 'lib/api/schemas.ts',
    imports: ['lib/api/errors.ts', 'lib/api/limits.ts'],
    importsOnly: ['lib/api/schemas'],
    packages: ['zod'],
    why: 'It is the door of schemas/.',
  },
  { room: 'lib/api/schemas', imports: ['lib/api/errors.ts', 'lib/api/limits.ts'], packages: ['zod'] },
  { room: 'lib/api/errors.ts', packages: [] },
  { room: 'lib/api/limits.ts', packages: [] },
  { room: 'lib/api/headers.ts', packages: [] },
  { room: 'lib/api/cookie-age.ts', packages: [] },
  { room: 'lib/api/with-next.ts', packages: [] },
]
