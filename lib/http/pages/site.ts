import type { Site } from '@/lib/api/site'
import { markUrl } from '@/lib/mark'
import { fill, listedAsChoices } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'
import { palette, type Shades } from '@/lib/settings/branding'
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
    mail: site.offersMail,
    recovery: site.mailRecovery && site.mailRecovery / 1000,
    passwordMinLength: site.passwordMinLength,
    logo: site.logo && { light: site.logo.light.url, dark: site.logo.dark?.url ?? null },
    homeUrl: site.homeUrl,
    termsUrl: site.termsUrl,
    privacyUrl: site.privacyUrl,
    supportUrl: site.supportUrl,
  }
}

/** The page's background, which browsers also use for their toolbars (`theme-color`). */
export const paper = { light: palette.light.paper, dark: palette.dark.paper }

/** CSS that replaces the accent of app/globals.css; null without APP_ACCENT. */
export function accentStyle(): string | null {
  const { accent } = settings()
  if (!accent) return null
  return `html:root{${declare(accent.light)}}@media (prefers-color-scheme:dark){html:root{${declare(accent.dark)}}}`
}

const declare = ({ accent, strong, wash, onAccent }: Shades) =>
  `--accent:${accent};--accent-strong:${strong};--accent-wash:${wash};--on-accent:${onAccent}`

/** The browser tab's icon for a site with a name of its own: the mark in the light accent, since a tab has no theme. */
export const markIcon = (appName: string) => markUrl(appName, settings().accent?.light ?? palette.light)
