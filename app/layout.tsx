import './globals.css'
import type { Metadata, Viewport } from 'next'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { BfcacheReload } from '@/components/ui/bfcache-reload'
import { WordsProvider } from '@/components/ui/words'
import { pageLanguage } from '@/lib/http/language'
import { siteInfo } from '@/lib/http/page-data'
import { fill } from '@/lib/messages/format'
import { languageOf } from '@/lib/messages/locales'
import { wordsOfRooms } from '@/lib/messages/page-words'

export async function generateMetadata(): Promise<Metadata> {
  await connection()
  const { appName, passwords } = siteInfo()
  const { locale, words } = pageLanguage(await headers())
  const { description, descriptionWithPasswords } = words.site
  return {
    title: { default: appName, template: `%s · ${appName}` },
    description: fill(locale, passwords ? descriptionWithPasswords : description, { app: appName }),
    applicationName: appName,
    robots: { index: false },
  }
}

export const viewport: Viewport = {
  colorScheme: 'light dark',
  themeColor: [
    { media: '(prefers-color-scheme: light)', color: '#f5f5f1' },
    { media: '(prefers-color-scheme: dark)', color: '#0c100f' },
  ],
}

/** Rendered for every request, because the CSP nonce of our scripts is new each time. */
export default async function RootLayout({ children }: { children: ReactNode }) {
  await connection()
  const language = pageLanguage(await headers())
  const { locale } = language
  return (
    <html lang={locale} dir={languageOf(locale).direction}>
      <body className="min-h-dvh bg-paper font-sans text-body text-ink">
        <WordsProvider {...wordsOfRooms(language, ['failedPage'])}>{children}</WordsProvider>
        <BfcacheReload />
      </body>
    </html>
  )
}
