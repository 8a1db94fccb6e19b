import './globals.css'
// Bundles these with the layout: as chunks of their own, they would be two more requests of every page.
import './error'
import './global-error'
import type { Metadata, Viewport } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { loadPage } from '@/app/load-page'
import { AllowTranslation, BfcacheReload, ReplayPress, SiteProvider } from '@/components/ui/page/layout'
import { PressKeeper } from '@/components/ui/page/press-keeper'
import { WordsProvider } from '@/components/ui/words/words'
import type { Site } from '@/lib/api/site'
import { nonceOf } from '@/lib/http/pages/prepare'
import { accentStyle, markIcon, paper } from '@/lib/http/pages/site'
import { fill } from '@/lib/messages/format/text'
import { languageOf } from '@/lib/messages/locales'
import { wordsOfNamespaces } from '@/lib/messages/page-words'

export async function generateMetadata(): Promise<Metadata> {
  await connection()
  const { language, site } = await loadPage()
  const { appName, passwords, logo } = site
  const { locale, words } = language
  const { description, descriptionWithPasswords } = words.site
  return {
    title: { default: appName, template: `%s · ${appName}` },
    description: fill(locale, passwords ? descriptionWithPasswords : description, { app: appName }),
    applicationName: appName,
    icons: icons(appName, logo),
    robots: { index: false },
  }
}

/** The browser tab's icon: the adopter's logo, or our mark, which for another name is a data URL of that accent. */
function icons(appName: string, logo: Site['logo']): Metadata['icons'] {
  if (logo?.dark)
    return {
      icon: [
        { url: logo.light, media: '(prefers-color-scheme: light)' },
        { url: logo.dark, media: '(prefers-color-scheme: dark)' },
      ],
    }
  const icon = logo?.light ?? markIcon(appName)
  if (icon !== null) return { icon }
  return {
    icon: { url: '/icon.svg', type: 'image/svg+xml', sizes: 'any' },
    apple: { url: '/apple-icon.png', type: 'image/png', sizes: '180x180' },
  }
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: paper.light },
    { media: '(prefers-color-scheme: dark)', color: paper.dark },
  ],
}

/** Renders for every request, because the CSP nonce of our scripts is new each time. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  await connection()
  const { headers, language, site } = await loadPage()
  const { locale, choices } = language
  const { appName, logo, homeUrl, termsUrl, privacyUrl, supportUrl } = site
  const style = accentStyle()
  return (
    <html lang={locale} dir={languageOf(locale).direction}>
      {style !== null && (
        <head>
          {/* Browsers hide the nonce from scripts, and so from React's comparison. */}
          <style nonce={nonceOf(headers)} suppressHydrationWarning>
            {style}
          </style>
        </head>
      )}
      <body className="min-h-dvh bg-paper font-sans text-body text-ink">
        <WordsProvider {...wordsOfNamespaces(language, ['failedPage', 'site'])}>
          <SiteProvider site={{ appName, logo, homeUrl, termsUrl, privacyUrl, supportUrl }} choices={choices}>
            {children}
          </SiteProvider>
        </WordsProvider>
        <BfcacheReload />
        <AllowTranslation />
        <ReplayPress />
        {/* Last: as every inline script it waits for the style sheet, and the browser parses what is above meanwhile. */}
        <PressKeeper nonce={nonceOf(headers)} />
      </body>
    </html>
  )
}
