'use client'

import './globals.css'
import { ButtonLink } from '@/components/ui/button'
import { PlainShell } from '@/components/ui/page-shell'

/** What is shown when the frame of all pages failed. It is made at build time and so has no nonce: nothing on it may need a script. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body className="min-h-dvh bg-paper font-sans text-body text-ink">
        <title>Something went wrong</title>
        <PlainShell title="Something went wrong">
          <p className="mt-2 mb-7 text-lead text-muted">The fault is on our side. Try again in a moment.</p>
          <ButtonLink href="/">Go to the start</ButtonLink>
        </PlainShell>
      </body>
    </html>
  )
}
