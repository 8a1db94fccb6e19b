'use client'

import { Button } from '@/components/ui/button'
import { PlainShell } from '@/components/ui/plain-shell'

/** Shown in place of a page that failed. `digest` identifies the error in the server's log. */
export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null
  return (
    <PlainShell title="Something went wrong">
      <p className="mt-2 mb-7 text-lead text-muted">
        This is a problem on our end. Try again in a moment.
        {digest && <span className="mt-2 block text-small">Reference: {digest}</span>}
      </p>
      <div>
        <Button onClick={() => retry()}>Try again</Button>
      </div>
    </PlainShell>
  )
}
