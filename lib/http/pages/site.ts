import type { Site } from '@/lib/api/site'
import { fill } from '@/lib/messages/format/fill'
import { listedAsChoices } from '@/lib/messages/format/lists'
import type { PageLanguage } from '@/lib/messages/page-words'
import { settings } from '@/lib/settings/settings'

export function siteInfo({ locale, words }: PageLanguage): Site {
  const site = settings()
  const origins = [...site.origins]
  const { onlyAt, unconfigured } = words.failures.unsupported
  return {
    appName: site.appName,
    origins,
    elsewhere: fill(locale, site.originConfigured ? onlyAt : unconfigured, {
      addresses: listedAsChoices(locale, origins),
    }),
    signUp: site.signUp,
    passwords: site.passwords,
    passwordMinLength: site.passwordMinLength,
    logo: site.logo && { light: site.logo.light.url, dark: site.logo.dark?.url ?? null },
    homeUrl: site.homeUrl,
    termsUrl: site.termsUrl,
    privacyUrl: site.privacyUrl,
    supportUrl: site.supportUrl,
  }
}
