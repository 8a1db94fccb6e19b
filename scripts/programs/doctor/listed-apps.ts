import type { Settings } from '@/lib/settings/schema'
import { type Finding, ok, warn } from './finding'

/** What does not fit together in the settings for other apps. */
export function checkListedApps({
  clientOrigins,
  accessCookie,
  androidApps,
  appleApps,
  passkeyOrigins,
}: Settings): Finding[] {
  const named = [...clientOrigins, ...androidApps.map(({ packageName }) => packageName), ...appleApps]
  const hashes = androidApps.flatMap(({ fingerprints }) => fingerprints.map(apkKeyHash))
  const unnamed = passkeyOrigins.filter((origin) => origin.startsWith('android:') && !hashes.includes(origin))
  const findings = named.length > 0 ? [ok(named.join(', '))] : []
  if (accessCookie?.origins.length === 0)
    findings.push(
      warn(`ACCESS_COOKIE_DOMAIN helps no app: CLIENT_ORIGINS names no https origin under ${accessCookie.domain}`),
    )
  for (const origin of unnamed)
    findings.push(
      warn(`${origin} is in APP_ORIGIN, but ANDROID_APPS has no app with that key, so Android gives it no passkeys`),
    )
  return findings
}

/** The origin that Android derives from a certificate's fingerprint. */
const apkKeyHash = (fingerprint: string) =>
  `android:apk-key-hash:${Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url')}`
