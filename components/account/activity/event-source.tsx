'use client'

import { Moment } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import { useLocale, useWords } from '@/components/ui/words/words'
import type { EventMethod } from '@/lib/api/schemas'
import { browserLabel } from '@/lib/messages/format/browser-label'
import { listed } from '@/lib/messages/format/lists'

interface EventSourceProps {
  /** Of the newest event. */
  at: string
  method: EventMethod | null
  /** The newest first. */
  browsers: (string | null)[]
  /** Whether there may be earlier ones. */
  latest?: boolean
}

/** More than these are a list that nobody compares. */
const namedBrowsers = 3

/** Where events came from and when, on two lines where there is no room for one. */
export function EventSource({ at, method, browsers, latest }: EventSourceProps) {
  const words = useWords('activity')
  const locale = useLocale()
  const names = browsers.map((browser) => (browser === null ? words.unknownBrowser : browserLabel(browser)))
  const source = listed(locale, names.slice(0, namedBrowsers))
  return (
    <p className="text-small text-muted">
      {/* An operator's command has no browser. */}
      {method !== 'operator' && (
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
