import './globals.css'
import type { Metadata, Viewport } from 'next'
import { connection } from 'next/server'
import type { ReactNode } from 'react'
import { BfcacheReload } from '@/components/ui/bfcache-reload'
import { siteInfo } from '@/lib/http/page-data'

export async function generateMetadata(): Promise<Metadata> {
  await connection()
  const { appName, passwords } = siteInfo()
  return {
    title: { default: appName, template: `%s · ${appName}` },
    description: `Sign in to ${appName} with a passkey${passwords ? ' or a password' : ''}.`,
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
  return (
    <html lang="en">
      <body className="min-h-dvh bg-paper font-sans text-body text-ink">
        {children}
        <BfcacheReload />
      </body>
    </html>
  )
}
