'use client'

import { Button } from '@/components/ui/button'
import { PlainShell } from '@/components/ui/page-shell'

/** What a page shows in its place when it failed. The cause is in the server's log; `digest` is how to find it there. */
export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null
  return (
    <PlainShell title="Something went wrong">
      <p className="mt-2 mb-7 text-lead text-muted">
        The fault is on our side. Try again in a moment.
        {digest && <span className="mt-2 block text-small">Reference: {digest}</span>}
      </p>
      <div>
        <Button onClick={() => retry()}>Try again</Button>
      </div>
    </PlainShell>
  )
}
