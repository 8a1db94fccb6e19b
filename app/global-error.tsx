'use client'

import './globals.css'
import { ButtonLink } from '@/components/ui/button'
import { PlainShell } from '@/components/ui/plain-shell'

/** Shown when the root layout failed. Prerendered and so without a nonce: nothing on it may need a script. */
export default function GlobalError() {
  return (
    <html lang="en">
      <body className="min-h-dvh bg-paper font-sans text-body text-ink">
        <title>Something went wrong</title>
        <PlainShell title="Something went wrong">
          <p className="mt-2 mb-7 text-lead text-balance text-muted">
            This is a problem on our end. Try again in a moment.
          </p>
          <ButtonLink href="/">Go to the home page</ButtonLink>
        </PlainShell>
      </body>
    </html>
  )
}
