import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'playwright/test'
import { temporaryFolder } from '../../support/machine/temporary-folder'

const imports = (module: string) => `import { x } from '${module}'\nexport const y = x\n`
const importsType = (module: string) => `import type { x } from '${module}'\nexport type y = x\n`
const importsLater = (module: string) => `export const x = () => import('${module}')\n`
const transaction = (argument: string) => `export const x = (c) => c.$transaction(${argument})\n`

// The arrows of CONTRIBUTING, by hand and by a module of each room, so that a wrong table of rooms is found.
const contract = ['lib/api/errors', 'lib/api/limits', 'lib/api/failure-events', 'lib/api/schemas']
const onProcess = ['lib/process/log', ...contract]
const onSettings = [
  ...['lib/settings/settings', 'lib/settings/branding/logo', 'lib/settings/secret/derive-key'],
  ...['lib/settings/fields/fault', 'lib/colour', ...onProcess],
]
const onDialect = ['lib/database/dialect/dialect', 'lib/database/batches', ...onSettings]
const onDatabase = [
  ...['lib/database/client', 'lib/database/sqlite/dialect', 'lib/database/sqlite/files/restore'],
  ...['lib/database/postgresql/dialect', ...onDialect],
]
const onDelivery = ['lib/delivery/outbox', ...onDatabase]
const onModel = ['lib/auth/model/accounts', ...onDatabase]
const onWebhooks = ['lib/auth/webhooks/announce', ...onDelivery, ...onModel]
const onTokens = ['lib/auth/tokens/tokens', ...onModel]
const onAudit = ['lib/auth/audit/events', ...onTokens]
const onRateLimit = ['lib/rate-limit/limiter', 'lib/rate-limit/redis/connect']
const onThrottling = ['lib/auth/throttling/rejection-pace', ...onRateLimit, ...onAudit]
const onSessions = ['lib/auth/sessions/find-session', ...onDelivery, ...onAudit]
const onRevocation = ['lib/auth/sessions/revocation/sign-out', ...onSessions]
const onPasswords = ['lib/auth/passwords/hash-queue', 'lib/fair-queue/fair-queue', ...onRevocation, ...onThrottling]
const onRecovery = ['lib/auth/recovery/codes', ...onRevocation, ...onThrottling]
const onEvents = ['lib/auth/account/events/list-events', ...onSessions, ...onThrottling]
const onAccount = ['lib/auth/account/password-sign-up', 'lib/auth/webhooks/announce', ...onEvents, ...onPasswords]
const onPasskeys = ['lib/auth/passkeys/stored-passkey', ...onAccount]
const onApps = ['lib/openid/apps/app', ...onAccount]
const onGrants = ['lib/openid/grants/grants', ...onApps]
const onIssued = ['lib/openid/issued/codes', 'lib/openid/token-lifetime', ...onGrants]
const onKeys = ['lib/openid/keys/signing-keys', 'lib/openid/token-lifetime', ...onTokens]
const onOpenIdTokens = ['lib/openid/tokens/userinfo', ...onIssued, ...onKeys]
const onLogout = ['lib/openid/logout/logout', 'lib/openid/require-own-request', ...onOpenIdTokens]
const onRequests = ['lib/openid/requests/authorize', 'lib/openid/require-own-request', ...onOpenIdTokens]
const onMessages = ['lib/messages/en', ...contract]
const onActivity = ['lib/activity/notices', ...onMessages]
const onCalls = [
  ...['lib/browser/requests/post', 'lib/browser/failures/outcomes', 'lib/browser/state/cookies', ...onActivity],
]
const onCeremonies = ['lib/browser/passkeys/ceremony', ...onCalls]
const onSignIn = ['lib/browser/sign-in/sign-out', ...onCeremonies]
const inBrowser = ['lib/browser/account/dismiss-notices', ...onSignIn]
const onUi = [
  ...['components/ui/button', 'components/ui/page/card-shell', 'components/ui/forms/field'],
  ...['components/ui/feedback/callout', 'components/ui/words/words', 'components/ui/icons/mark'],
]
const pieces = [...onUi, 'components/auth/passkey-button', 'components/account/forms/setting']
const whatSecures = [
  ...['components/account/sessions/sign-out-elsewhere', 'components/account/settings/password-setting'],
  'components/account/recovery/recovery-codes-setting',
]
const onRequestParts = ['lib/http/request/cookies', ...onTokens]
const onIdentity = ['lib/http/identity/identify-caller', ...onRequestParts, ...onOpenIdTokens]
const onRemoteBackend = ['lib/http/remote-backend/call-backend', ...onRequestParts, ...onPasswords]
const onVisitor = ['lib/http/visitor/language', 'lib/messages/en', ...onRequestParts]
const onResponse = ['lib/http/response/error-response', 'lib/http/response/security-headers', ...onVisitor]
const onOrigin = ['lib/http/origin/cross-origin', ...onResponse]
const onContext = ['lib/http/context/call', ...onOrigin, ...onRemoteBackend]
const onRoute = ['lib/http/route', ...onIdentity, ...onContext]
const onSessionHeaders = ['lib/http/sessions/session-headers', ...onContext, ...onPasskeys]
const onPages = ['lib/http/pages/account-data', ...onContext, ...onRequests, ...onLogout, ...onPasskeys]
const onPreparation = ['lib/http/preparation/own-pages', 'lib/http/response/security-headers', ...onVisitor]
const onNode = ['lib/http/node/methods', ...onPreparation, ...onRoute]
const onLifecycle = ['lib/lifecycle', 'lib/telemetry/start', ...onLogout]
const program = [
  ...['lib/http/node/pages/pages-listener', 'lib/http/node/connections/shut-down', ...onNode],
  ...onLifecycle,
]

const packages = ['next/headers', 'react', 'react-dom', 'zod', '@simplewebauthn/browser', 'node:fs/promises']
const ofNode = packages.slice(3)
const ofComponents = packages.slice(0, 4)
const ofPages = packages.filter((name) => name !== '@simplewebauthn/browser')

const inUi = [...onUi, 'lib/browser/failures/outcomes', 'lib/messages/en', ...contract, ...ofComponents]
const inAccount = [...pieces, ...inBrowser, ...ofComponents]

const inScripts = ['scripts/support/step.mjs', 'scripts/command-line/broken-pipe.mjs', ...packages]
const inPrograms = [
  'scripts/command-line/broken-pipe.mjs',
  ...program,
  'server',
  ...['lib/auth/operator/sign-out-accounts', 'lib/auth/operator/import/accounts', 'lib/auth/passkeys/stored-passkey'],
  'lib/auth/recovery/codes',
  ...['lib/openid/operator/manage-apps', 'lib/openid/apps/app'],
  ...packages,
]

/** By a file of each room, all that it may import of what is listed here for any room, or is behind a door. */
const mayImport: Record<string, string[]> = {
  'scripts/a.ts': inScripts,
  'scripts/build/a.ts': inScripts,
  'scripts/support/a.ts': inScripts,
  'scripts/command-line/a.ts': ['scripts/command-line/broken-pipe.mjs'],
  'scripts/programs/a.ts': inPrograms,
  'scripts/programs/accounts/account/a.ts': inPrograms,
  'scripts/programs/accounts/command/a.ts': inPrograms,
  'scripts/programs/accounts/data/a.ts': inPrograms,
  'scripts/programs/doctor/a.ts': inPrograms,
  'server.ts': [...program, ...packages],
  'instrumentation.ts': [...onNode, ...onLifecycle, ...packages],
  'proxy.ts': ['lib/http/preparation/own-pages', ...contract, ...ofPages],
  'app/a/page.tsx': [
    'app/load-page',
    ...[...pieces, ...whatSecures, 'components/account/secure/secure-steps'],
    'components/account/activity/event-source',
    ...['components/auth/home/about', 'components/auth/sign-in/sign-in-methods'],
    'components/auth/sign-up/sign-up-form',
    ...['components/account/notices/notice-list', 'components/account/suggestions/suggestions'],
    'components/account/welcome/protect-account',
    ...['components/apps/consent-buttons', 'components/passkeys/passkey-card'],
    ...['lib/http/visitor/language', 'lib/http/pages/account-data', 'lib/http/preparation/own-pages'],
    ...[...onActivity, ...ofPages],
  ],
  'app/load-page.ts': [
    'lib/http/visitor/language',
    'lib/http/pages/account-data',
    'lib/messages/en',
    ...contract,
    ...ofPages,
  ],
  'app/api/a/route.ts': [
    ...['lib/http/route', 'lib/http/sessions/session-headers', 'lib/http/resources/health'],
    ...['lib/auth/passkeys/stored-passkey', 'lib/auth/account/password-sign-up', 'lib/auth/account/events/list-events'],
    ...['lib/auth/passwords/hash-queue', 'lib/auth/recovery/codes'],
    ...['lib/auth/sessions/revocation/sign-out', 'lib/auth/sessions/find-session'],
    ...['lib/openid/requests/authorize', 'lib/openid/logout/logout'],
    ...['lib/openid/tokens/userinfo', 'lib/openid/grants/grants'],
    'lib/delivery/outbox',
    ...contract,
    ...ofNode,
  ],
  'components/apps/a.tsx': ['components/apps/consent-buttons', ...pieces, ...inBrowser, ...ofComponents],
  'components/passkeys/a.tsx': [
    ...[...pieces, 'components/passkeys/passkey-card', 'components/passkeys/provider-icon'],
    ...[...inBrowser, ...ofComponents],
  ],
  'components/account/secure/a.tsx': [
    ...['components/account/secure/secure-steps', 'components/account/secure/secure-step', ...whatSecures],
    ...[...pieces, ...inBrowser, ...ofComponents],
  ],
  'components/account/notices/a.tsx': [
    ...['components/account/notices/notice-list', 'components/account/activity/event-source'],
    ...[...pieces, ...inBrowser, ...ofComponents],
  ],
  'components/account/welcome/a.tsx': [
    ...['components/account/welcome/protect-account', 'components/account/recovery/recovery-codes-setting'],
    ...[...pieces, ...inBrowser, ...ofComponents],
  ],
  'components/account/suggestions/a.tsx': [
    ...['components/account/suggestions/suggestions', 'components/account/suggestions/choose-suggestion'],
    ...[...pieces, ...inBrowser, ...ofComponents],
  ],
  'components/account/activity/a.tsx': [
    ...['components/account/activity/event-source', 'components/account/activity/event-icon'],
    ...[...pieces, ...inBrowser, ...ofComponents],
  ],
  'components/account/sessions/a.tsx': [
    ...['components/account/sessions/sign-out-elsewhere', 'components/account/sessions/session-list'],
    ...[...pieces, ...inBrowser, ...ofComponents],
  ],
  'components/account/recovery/a.tsx': [
    ...['components/account/recovery/recovery-codes-setting', 'components/account/recovery/copy-button'],
    ...[...pieces, ...inBrowser, ...ofComponents],
  ],
  'components/account/settings/a.tsx': [
    ...['components/account/settings/password-setting', 'components/account/settings/remove-password'],
    ...[...pieces, ...inBrowser, ...ofComponents],
  ],
  'components/account/a.tsx': inAccount,
  'components/account/forms/a.tsx': inAccount,
  'components/account/frame/a.tsx': inAccount,
  'components/account/reauthentication/a.tsx': inAccount,
  'components/auth/home/a.tsx': [
    ...['components/auth/home/about', 'components/auth/passkey-button'],
    ...[...onUi, ...onSignIn, ...ofComponents],
  ],
  'components/auth/sign-in/a.tsx': [
    ...['components/auth/sign-in/sign-in-methods', 'components/auth/sign-in/sign-in-form'],
    ...['components/auth/passkey-button', ...onUi, ...onSignIn, ...ofComponents],
  ],
  'components/auth/sign-up/a.tsx': [
    ...['components/auth/sign-up/sign-up-form', 'components/auth/sign-up/use-invitation'],
    ...['components/auth/passkey-button', ...onUi, ...onSignIn, ...ofComponents],
  ],
  'components/auth/a.tsx': ['components/auth/passkey-button', ...onUi, ...onSignIn, ...ofComponents],
  'components/ui/a.tsx': inUi,
  'components/ui/page/a.tsx': inUi,
  'components/ui/forms/a.tsx': inUi,
  'components/ui/feedback/a.tsx': inUi,
  'components/ui/words/a.tsx': inUi,
  'components/ui/icons/a.tsx': inUi,
  'lib/browser/account/a.ts': [...inBrowser, '@simplewebauthn/browser'],
  'lib/browser/sign-in/a.ts': [...onSignIn, '@simplewebauthn/browser'],
  'lib/browser/passkeys/a.ts': [...onCeremonies, '@simplewebauthn/browser'],
  'lib/browser/requests/a.ts': [...onCalls, '@simplewebauthn/browser'],
  'lib/browser/failures/a.ts': ['lib/browser/failures/outcomes', ...onMessages, '@simplewebauthn/browser'],
  'lib/browser/state/a.ts': ['lib/browser/state/cookies', ...onActivity, '@simplewebauthn/browser'],
  'lib/activity/a.ts': onActivity,
  'lib/http/node/pages/a.ts': [
    ...['lib/http/node/pages/pages-listener', 'lib/http/node/pages/page-turns'],
    ...[...onNode, 'next/headers', ...ofNode],
  ],
  'lib/http/node/connections/a.ts': ['lib/http/node/connections/shut-down', ...onResponse, ...ofNode],
  'lib/http/node/a.ts': [...onNode, ...ofNode],
  'lib/http/pages/a.ts': [...onPages, ...ofNode],
  'lib/http/preparation/a.ts': [...onPreparation, ...ofNode],
  'lib/http/resources/a.ts': [
    ...['lib/http/resources/health', 'lib/api/openapi/document', ...onSessionHeaders, ...onRequests, ...onLogout],
    ...ofNode,
  ],
  'lib/http/a.ts': [...onRoute, ...ofNode],
  'lib/http/sessions/a.ts': [...onSessionHeaders, ...ofNode],
  'lib/http/context/a.ts': [...onContext, ...ofNode],
  'lib/http/origin/a.ts': [...onOrigin, ...ofNode],
  'lib/http/identity/a.ts': ['lib/http/identity/app-credentials', ...onIdentity, ...ofNode],
  'lib/http/response/a.ts': [...onResponse, ...ofNode],
  'lib/http/visitor/a.ts': [...onVisitor, ...ofNode],
  'lib/http/remote-backend/a.ts': [...onRemoteBackend, ...ofNode],
  'lib/http/request/a.ts': [...onRequestParts, ...ofNode],
  'lib/lifecycle.ts': ['lib/telemetry/start', ...onLogout, ...onWebhooks, ...onPasswords, ...onKeys, ...ofNode],
  'lib/telemetry/a.ts': ['lib/telemetry/start', 'lib/telemetry/sdk', ...onPasswords, ...ofNode],
  'lib/openid/operator/a.ts': [
    ...['lib/openid/operator/manage-apps', 'lib/auth/operator/sign-out-accounts', 'lib/auth/passkeys/stored-passkey'],
    'lib/auth/recovery/codes',
    ...[...onApps, ...onKeys, ...ofNode],
  ],
  'lib/openid/requests/a.ts': ['lib/openid/requests/authorization-error', ...onRequests, ...ofNode],
  'lib/openid/logout/a.ts': ['lib/openid/logout/logout-request', ...onLogout, ...ofNode],
  'lib/openid/tokens/a.ts': ['lib/openid/tokens/issue-tokens', ...onOpenIdTokens, ...ofNode],
  'lib/openid/require-own-request.ts': [...onSessions, ...ofNode],
  'lib/openid/token-lifetime.ts': [],
  'lib/openid/issued/a.ts': [...onIssued, ...ofNode],
  'lib/openid/grants/a.ts': [...onGrants, ...ofNode],
  'lib/openid/apps/a.ts': [...onApps, ...ofNode],
  'lib/openid/keys/a.ts': ['lib/openid/keys/key-store', ...onKeys, ...ofNode],
  'lib/auth/operator/import/a.ts': [
    ...['lib/auth/operator/import/accounts', 'lib/auth/operator/import/row'],
    ...['lib/auth/operator/sign-out-accounts', ...onPasskeys, ...onRecovery, ...ofNode],
  ],
  'lib/auth/operator/a.ts': ['lib/auth/operator/sign-out-accounts', ...onPasskeys, ...onRecovery, ...ofNode],
  'lib/auth/recovery/a.ts': [...onRecovery, ...ofNode],
  'lib/auth/passkeys/a.ts': [...onPasskeys, ...ofNode],
  'lib/auth/account/a.ts': [...onAccount, ...ofNode],
  'lib/auth/account/events/a.ts': [...onEvents, ...ofNode],
  'lib/auth/passwords/a.ts': [...onPasswords, ...ofNode],
  'lib/auth/sessions/revocation/a.ts': [...onRevocation, ...ofNode],
  'lib/auth/sessions/a.ts': [...onSessions, ...ofNode],
  'lib/auth/throttling/a.ts': [...onThrottling, ...ofNode],
  'lib/auth/audit/a.ts': [...onAudit, ...ofNode],
  'lib/auth/webhooks/a.ts': [...onWebhooks, ...ofNode],
  'lib/auth/tokens/a.ts': [...onTokens, ...ofNode],
  'lib/auth/model/a.ts': [...onModel, ...ofNode],
  'lib/delivery/a.ts': ['lib/delivery/leases', ...onDelivery, ...ofNode],
  'lib/rate-limit/a.ts': ['lib/rate-limit/redis-store', ...onRateLimit, ...onDatabase, ...ofNode],
  'lib/rate-limit/redis/a.ts': ['lib/rate-limit/redis-store', ...onRateLimit, ...onDatabase, ...ofNode],
  'lib/database/a.ts': [...onDatabase, ...ofNode],
  'lib/database/sqlite/a.ts': [
    ...['lib/database/sqlite/dialect', 'lib/database/sqlite/files/restore', 'lib/database/sqlite/adapter'],
    ...[...onDialect, ...ofNode],
  ],
  'lib/database/postgresql/a.ts': [
    ...['lib/database/postgresql/dialect', 'lib/database/postgresql/failover', ...onDialect, ...ofNode],
  ],
  'lib/database/dialect/a.ts': [...onDialect, ...ofNode],
  'lib/database/batches.ts': [],
  'lib/settings/a.ts': [...onSettings, ...ofNode],
  'lib/settings/branding/a.ts': [...onSettings, ...ofNode],
  'lib/colour.ts': [],
  'lib/fair-queue/a.ts': ['lib/fair-queue/fair-queue'],
  'lib/process/a.ts': [...onProcess, ...ofNode],
  'lib/messages/a.ts': ['lib/messages/en', 'lib/api/errors'],
  'lib/messages/format/a.ts': ['lib/messages/en', 'lib/api/errors'],
  'lib/api/openapi/a.ts': ['lib/api/openapi/document', ...contract, 'zod'],
  'lib/api/a.ts': [...contract, 'lib/api/endpoints/openid', 'zod'],
  'lib/api/endpoints/a.ts': ['lib/api/errors', 'lib/api/limits', 'lib/api/schemas', 'lib/api/endpoints/openid', 'zod'],
  'lib/api/schemas.ts': ['lib/api/errors', 'lib/api/limits', 'lib/api/schemas/account', 'zod'],
  'lib/api/schemas/a.ts': [
    'lib/api/errors',
    'lib/api/limits',
    'lib/api/failure-events',
    'lib/api/schemas/account',
    'zod',
  ],
  'lib/api/oauth-errors.ts': ['lib/api/errors'],
  'lib/api/errors.ts': [],
  'lib/api/limits.ts': [],
  'lib/api/failure-events.ts': [],
  'lib/api/headers.ts': [],
  'lib/api/cookie-age.ts': [],
  'lib/api/with-next.ts': [],
  'lib/a-new-room/a.ts': [],
  'lib/auth/a-new-room/a.ts': [],
}

const offered = [
  ...new Set([
    ...Object.values(mayImport).flat(),
    'proxy',
    'instrumentation',
    'lib/a-new-room/a',
    'lib/auth/a-new-room/a',
  ]),
]
const specifier = (module: string) => (packages.includes(module) ? module : `@/${module}`)
const everyImport = offered.map((module, index) => `import type { x as x${index} } from '${specifier(module)}'`)

/** Code that breaks a rule, by the file it would stand in, and the rule that must say so (null: it is allowed). */
const plantings: [path: string, code: string, rule: string | null][] = [
  ['lib/api/b.ts', imports('../settings/settings'), 'noRestrictedImports'],
  ['lib/api/c.ts', imports('jose'), 'noRestrictedImports'],
  ['lib/messages/b.ts', imports('zod'), 'noRestrictedImports'],
  ['lib/process/b.ts', imports('./singleton'), null],
  ['lib/database/b.ts', imports('../auth/tokens'), 'noRestrictedImports'],
  ['lib/database/c.ts', imports('../lifecycle'), 'noRestrictedImports'],
  ['lib/database/sqlite/b.ts', imports('../client'), 'noRestrictedImports'],
  ['lib/database/sqlite/c.ts', imports('../dialect/measured'), null],
  ['lib/database/h.ts', importsLater('./sqlite/dialect'), null],
  ['lib/database/i.ts', importsType('./sqlite/adapter'), 'noRestrictedImports'],
  ['lib/auth/account/b.ts', imports('../passkeys/stored-passkey'), 'noRestrictedImports'],
  ['lib/auth/account/c.ts', imports('../operator/sign-out-accounts'), 'noRestrictedImports'],
  ['lib/auth/sessions/e.ts', importsLater('@/lib/http/route'), 'noRestrictedImports'],
  ['lib/auth/sessions/f.ts', `export { x } from '@/lib/http/route'\n`, 'noRestrictedImports'],
  ['lib/auth/passkeys/b.ts', imports('../sessions/find-session'), null],
  ['lib/auth/passkeys/c.ts', imports('./store'), null],
  ['lib/auth/passkeys/d.ts', imports('../operator/sign-out-accounts'), 'noRestrictedImports'],
  ['lib/auth/passkeys/e.ts', imports('../../http/route'), 'noRestrictedImports'],
  ['lib/auth/operator/b.ts', imports('../sessions/find-session'), null],
  ['lib/auth/operator/c.ts', imports('../../http/route'), 'noRestrictedImports'],
  ['lib/auth/operator/d.ts', imports('./import/accounts'), 'noRestrictedImports'],
  ['lib/http/remote-backend/b.ts', imports('../route'), 'noRestrictedImports'],
  ['lib/http/remote-backend/c.ts', imports('../request/cookies'), null],
  ['lib/http/b.ts', imports('./remote-backend/call-backend'), null],
  ['lib/http/d.ts', imports('./node/methods'), 'noRestrictedImports'],
  ['lib/http/c.ts', imports('../auth/sessions'), 'noRestrictedImports'],
  ['lib/http/f.ts', imports('@/lib/auth/sessions/step-up'), 'Only lib/http/identity/identify-caller.ts makes a StepUp'],
  ['lib/http/g.ts', importsType('@/lib/auth/sessions/step-up'), null],
  ['lib/http/identity/identify-caller.ts', imports('@/lib/auth/sessions/step-up'), null],
  ['lib/auth/sessions/g.ts', imports('./step-up'), 'Only lib/http/identity/identify-caller.ts makes a StepUp'],
  [
    'lib/auth/passkeys/f.ts',
    imports('../sessions/step-up'),
    'Only lib/http/identity/identify-caller.ts makes a StepUp',
  ],
  [
    'lib/openid/requests/b.ts',
    imports('@/lib/auth/sessions/step-up'),
    'Only lib/http/identity/identify-caller.ts makes a StepUp',
  ],
  ['lib/openid/requests/c.ts', importsType('@/lib/auth/sessions/step-up'), null],
  [
    'app/api/e/route.ts',
    imports('@/lib/auth/sessions/step-up'),
    'Only lib/http/identity/identify-caller.ts makes a StepUp',
  ],
  [
    'lib/http/h.ts',
    importsLater('@/lib/auth/sessions/step-up'),
    'Only lib/http/identity/identify-caller.ts makes a StepUp',
  ],
  ['lib/browser/requests/j.ts', imports('./step-up'), null],
  ['lib/browser/requests/c.ts', imports('@/lib/api/schemas'), 'zod costs a page 34 kB'],
  ['lib/browser/requests/d.ts', importsType('@/lib/api/schemas'), null],
  [
    'lib/browser/requests/e.ts',
    `import { type x } from '@/lib/api/endpoints'\nexport type y = x\n`,
    'zod costs a page 34 kB',
  ],
  ['lib/browser/requests/m.ts', importsLater('@/lib/api/schemas'), 'zod costs a page 34 kB'],
  ['lib/browser/requests/n.ts', importsLater('@/lib/api/errors'), null],
  ['lib/browser/requests/f.ts', imports('@/lib/api/errors'), null],
  ['lib/browser/requests/k.ts', imports('@/lib/api/cookie-age'), null],
  ['lib/browser/requests/p.ts', imports('@/lib/api/failure-events'), null],
  ['components/auth/n.tsx', imports('@/lib/api/with-next'), null],
  ['lib/browser/requests/l.ts', imports('@/lib/api/headers'), null],
  ['lib/browser/requests/g.ts', imports('@/lib/messages/en'), 'it gets its words from the page'],
  ['lib/browser/requests/h.ts', importsType('@/lib/messages/en'), null],
  ['lib/browser/requests/o.ts', importsLater('@/lib/messages/de'), 'it gets its words from the page'],
  ['lib/browser/passkeys/b.ts', imports('../requests/post'), null],
  ['components/ui/b.tsx', imports('@/lib/browser/passkeys/prompt'), null],
  ['components/ui/d.tsx', imports('@/lib/api/openapi/document'), 'zod costs a page 34 kB'],
  ['components/ui/e.tsx', imports('@/lib/messages/catalogues'), 'it gets its words from the page'],
  ['components/ui/f.tsx', imports('@/lib/messages/format/fill'), null],
  ['components/account/d.tsx', `export { x } from '@/lib/api/schemas'\n`, 'zod costs a page 34 kB'],
  ['components/account/e.tsx', importsType('@/lib/api/endpoints'), null],
  ['components/account/f.tsx', imports('@/lib/api/limits'), null],
  ['components/passkeys/b.tsx', imports('../../lib/auth/sessions'), 'noRestrictedImports'],
  ['app/b/page.tsx', imports('../../lib/database/client'), 'noRestrictedImports'],
  ['app/c/page.tsx', imports('./own-part'), null],
  ['lib/process/c.ts', `import type { b } from './d'\nexport type a = b\n`, 'noImportCycles'],
  ['lib/process/d.ts', `import type { a } from './c'\nexport type b = a\n`, 'noImportCycles'],
  ['lib/process/e.ts', `import type { a } from './c'\nexport type c = a\n`, null],
  ['lib/auth/sessions/d.ts', 'export const x = process.env.X\n', 'noProcessEnv'],
  ['lib/database/e.ts', transaction('async (t) => { await t.user.create({}) }'), 'No interactive transactions'],
  ['lib/database/f.ts', transaction('(t) => t.user.create({}), { timeout: 1 }'), 'No interactive transactions'],
  ['lib/database/g.ts', transaction('[c.user.create({}), c.user.delete({})]'), null],
]

/** What is linted, by its path: one file for each room, and one for each planting. */
const files = [...Object.keys(mayImport).map((path) => [path, everyImport.join('\n')] as const), ...plantings]

type Config = { plugins?: string[]; overrides?: Config[] }
const pluginsOf = ({ plugins = [], overrides = [] }: Config): string[] => [...plugins, ...overrides.flatMap(pluginsOf)]

/** Lints the files beside each other in an empty folder. @returns what Biome says of each, a line for each finding */
function lint() {
  const folder = temporaryFolder('walls')
  const config = JSON.parse(readFileSync('biome.json', 'utf8'))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify({ ...config, $schema: undefined, vcs: undefined }))
  for (const file of [...config.extends, ...pluginsOf(config)]) cpSync(file, join(folder, file))
  for (const [path, code] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), code, { flag: 'wx' })
  }
  const biome = join(process.cwd(), 'node_modules/@biomejs/biome/bin/biome')
  const words = [biome, 'lint', '--reporter=github', '--max-diagnostics=none']
  const lines = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8', maxBuffer: 1 << 26 }).stdout.split(
    '\n',
  )
  return (path: string) => lines.filter((line) => line.includes(`file=${path},`) || line.includes(`/${path},`))
}

test('the linter rejects each import between rooms that no arrow allows, each other planted violation, and nothing else', () => {
  const said = lint()
  const accepted = Object.keys(mayImport).map((path) => {
    const rejections = said(path).filter((line) => line.includes('noRestrictedImports'))
    const isRejected = (index: number) => rejections.some((line) => line.includes(`,line=${index + 1},`))
    return [path, offered.filter((_, index) => !isRejected(index))]
  })
  const allowed = Object.entries(mayImport).map(([path, list]) => [
    path,
    offered.filter((module) => list.includes(module)),
  ])
  expect(Object.fromEntries(accepted)).toEqual(Object.fromEntries(allowed))

  const found = plantings.map(([path, code, rule]) => {
    const lines = said(path)
    return [path, code, rule !== null && lines.some((line) => line.includes(rule)) ? rule : (lines[0] ?? null)]
  })
  expect(found).toEqual(plantings)
})

const routes = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('route.ts'))

test('no route file is longer than ten lines', () => {
  const long = routes.filter((path) => readFileSync(`app/${path}`, 'utf8').trim().split('\n').length > 10)
  expect(long).toEqual([])
})
