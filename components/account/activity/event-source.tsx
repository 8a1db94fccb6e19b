'use client'

import { Moment } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import type { AccountEvent } from '@/lib/api/schemas'
import { browserLabel } from '@/lib/messages/format/browser-label'

interface EventSourceProps {
  event: Pick<AccountEvent, 'method' | 'browser' | 'at'>
  latest?: boolean
}

/** Where an event came from and when, on two lines where there is no room for one. */
export function EventSource({ event: { method, browser, at }, latest }: EventSourceProps) {
  const words = useWords('activity')
  // An operator's command has no browser.
  const source = method === 'operator' ? null : browser === null ? words.unknownBrowser : browserLabel(browser)
  return (
    <p className="text-small text-muted">
      {source !== null && (
        <>
          <span className="block sm:inline">
            {latest ? <Filled message={words.last} values={{ browser: source }} /> : <bdi>{source}</bdi>}
          </span>
          <span className="hidden sm:inline"> · </span>
        </>
      )}
      <Moment at={at} />
    </p>
  )
}
