'use client'

import { Button } from '@/components/ui/button'
import { useFill } from '@/components/ui/filled'
import { DoorKey } from '@/components/ui/key'
import { PlainShell } from '@/components/ui/plain-shell'
import { useWords } from '@/components/ui/words'

export interface FailedPageProps {
  error: unknown
  retry: () => void
}

/** Shown in place of a page that failed. `digest` identifies the error in the server's log. */
export default function FailedPage({ error, retry }: FailedPageProps) {
  const words = useWords('failedPage')
  const fill = useFill()
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null
  return (
    <PlainShell title={words.title}>
      <DoorKey />
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
