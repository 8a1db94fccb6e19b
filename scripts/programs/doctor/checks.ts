import type { Settings } from '@/lib/settings/settings'
import {
  checkAppFile,
  checkBackend,
  checkBackendUrl,
  checkListedApps,
  checkMail,
  checkRegisteredApps,
  checkWebhooks,
} from './connections'
import type { Finding } from './finding'
import {
  checkBranding,
  checkHttps,
  checkOrigins,
  checkPasskeys,
  checkPasswords,
  checkSecret,
  checkSettings,
  checkSignUp,
} from './settings'
import { checkClock, checkDatabase, checkFiles, checkRateLimits } from './storage'

type Check = (settings: Settings) => Finding[] | Promise<Finding[]>

/** Skips a check on the front end of a split deployment, which has no database. */
const withDatabase =
  (check: Check): Check =>
  (settings) =>
    settings.backendUrl ? [] : check(settings)

/** Skipped once the check of the database has failed, since each would wait for it anew and fail of the same. */
export const needDatabase = ['passwords', 'file of apps', 'sign-in to apps', 'clock']

/** By what the report calls them; run in this order. A check that throws has failed. @param mailTo gets a letter */
export const checksWith = (mailTo: string | null): [what: string, check: Check][] => [
  ['settings', checkSettings],
  ['secret', checkSecret],
  ['origin', checkOrigins],
  ['passkeys', checkPasskeys],
  ['https', checkHttps],
  ['apps', checkListedApps],
  ['branding', checkBranding],
  ['sign-up', checkSignUp],
  ['backend', checkBackendUrl],
  ['backend', checkBackend],
  ['database', withDatabase(checkDatabase)],
  ['passwords', withDatabase(checkPasswords)],
  ['files', withDatabase(checkFiles)],
  ['rate limits', withDatabase(checkRateLimits)],
  ['file of apps', withDatabase(checkAppFile)],
  ['sign-in to apps', withDatabase(checkRegisteredApps)],
  ['webhooks', withDatabase(checkWebhooks)],
  ['mail', (settings) => checkMail(settings, mailTo)],
  ['clock', withDatabase(checkClock)],
]
