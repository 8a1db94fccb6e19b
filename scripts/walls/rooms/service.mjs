import { frameworks } from './frameworks.mjs'

/**
 * What the server does, without HTTP.
 *
 * @type {import('../rooms.mjs').Room[]}
 */
export const service = [
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
  { room: 'lib/auth/operator', imports: ['lib/auth/passkeys', 'lib/auth/recovery'], without: frameworks },
  { room: 'lib/auth/passkeys', imports: ['lib/auth/account'], without: frameworks },
  {
    room: 'lib/auth/recovery',
    imports: ['lib/auth/sessions/revocation', 'lib/auth/throttling'],
    without: frameworks,
  },
  {
    room: 'lib/auth/account',
    imports: ['lib/auth/account/events', 'lib/auth/passwords', 'lib/auth/webhooks'],
    without: frameworks,
  },
  {
    room: 'lib/auth/account/events',
    imports: ['lib/auth/sessions', 'lib/auth/throttling'],
    without: frameworks,
  },
  {
    room: 'lib/auth/passwords',
    inner: ['common'],
    imports: ['lib/auth/sessions/revocation', 'lib/auth/throttling', 'lib/fair-queue'],
    without: frameworks,
  },
  { room: 'lib/auth/sessions/revocation', imports: ['lib/auth/sessions'], without: frameworks },
  { room: 'lib/auth/sessions', imports: ['lib/auth/audit', 'lib/delivery'], without: frameworks },
  { room: 'lib/auth/throttling', imports: ['lib/auth/audit', 'lib/rate-limit'], without: frameworks },
  { room: 'lib/auth/audit', imports: ['lib/auth/tokens'], without: frameworks },
  { room: 'lib/auth/tokens', imports: ['lib/auth/model'], without: frameworks },
  {
    room: 'lib/auth/webhooks',
    door: ['announce', 'sender', 'start'],
    imports: ['lib/auth/model', 'lib/delivery'],
    without: frameworks,
  },
  { room: 'lib/auth/model', imports: ['lib/database'], without: frameworks, why: 'It knows nothing of HTTP.' },
  {
    room: 'lib/delivery',
    door: ['outbox', 'delivering', 'senders', 'receiver', 'receiver-error', 'undelivered'],
    imports: ['lib/database'],
    without: frameworks,
    why: 'It knows no sender.',
  },
  {
    room: 'lib/rate-limit',
    inner: ['redis'],
    door: ['limiter', 'store', 'redis/connect'],
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
  {
    room: 'lib/settings',
    inner: ['branding', 'secret', 'fields'],
    imports: ['lib/process', 'lib/colour.ts'],
    without: frameworks,
  },
  { room: 'lib/colour.ts', packages: [] },
  { room: 'lib/mark.ts', packages: [] },
  { room: 'lib/process', imports: ['lib/api'], without: frameworks },
  { room: 'lib/fair-queue', packages: [], why: 'It knows nothing of what its jobs do.' },
]
