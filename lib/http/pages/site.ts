import type { Site } from '@/lib/api/site'
import { fill } from '@/lib/messages/format/fill'
import { listedAsChoices } from '@/lib/messages/format/lists'
import type { PageLanguage } from '@/lib/messages/page-words'
import { settings } from '@/lib/settings/settings'

export function siteInfo({ locale, words }: PageLanguage): Site {
  const { appName, origins, originConfigured, signUp, passwords, passwordMinLength, logo } = settings()
  const { homeUrl, termsUrl, privacyUrl, supportUrl } = settings()
  const { onlyAt, unconfigured } = words.failures.unsupported
  return {
    appName,
    origins: [...origins],
    elsewhere: fill(locale, originConfigured ? onlyAt : unconfigured, {
      addresses: listedAsChoices(locale, [...origins]),
    }),
    signUp,
    passwords,
    passwordMinLength,
    logo: logo && { light: logo.light.address, dark: logo.dark?.address ?? null },
    homeUrl,
    termsUrl,
    privacyUrl,
    supportUrl,
  }
}
