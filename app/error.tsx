'use client'

import { Button } from '@/components/ui/button'
import { PlainShell } from '@/components/ui/plain-shell'
import { useFill, useWords } from '@/components/ui/words'

/** Shown in place of a page that failed. `digest` identifies the error in the server's log. */
export default function PageError({ error, retry }: { error: unknown; retry: () => void }) {
  const words = useWords('failedPage')
  const fill = useFill()
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null
  return (
    <PlainShell title={words.title}>
      <p className="mt-2 mb-7 text-lead text-balance text-muted">
        {words.text}
        {digest && <span className="mt-2 block text-small">{fill(words.reference, { digest })}</span>}
      </p>
      <div>
        <Button onClick={() => retry()}>{words.retry}</Button>
      </div>
    </PlainShell>
  )
}
