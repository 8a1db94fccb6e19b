'use client'

import { Moment } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import { useLocale, useWords } from '@/components/ui/words/words'
import type { EventMethod } from '@/lib/api/schemas'
import { browserLabel, listedBrowser } from '@/lib/messages/format/browser-label'
import { listed } from '@/lib/messages/format/lists'
import { languageOf } from '@/lib/messages/locales'

interface EventSourceProps {
  /** Of the newest event. */
  at: string
  method: EventMethod | null
  /** The newest first. */
  browsers: (string | null)[]
  /** Whether earlier events may be from browsers that are not known. */
  mayMissBrowsers?: boolean
  /** Where it is what decides, and no aside. */
  isEvidence?: boolean
}

/** Nobody compares more browsers than these. */
const namedBrowsers = 3

/** Where events came from and when, on two lines where there is no room for one. The dot before each part is clipped where the part begins a line. */
export function EventSource({ at, method, browsers, mayMissBrowsers, isEvidence }: EventSourceProps) {
  const words = useWords('activity')
  const locale = useLocale()
  const label = browsers.length > 1 ? listedBrowser : browserLabel
  const names = browsers.map((browser) => (browser === null ? words.unknownBrowser : label(browser)))
  // A list has the page's direction, whatever that of the first name.
  const direction = names.length > 1 ? languageOf(locale).direction : undefined
  const source = <bdi dir={direction}>{listed(locale, names.slice(0, namedBrowsers))}</bdi>
  const areOnlyLatest = names.length > namedBrowsers || (mayMissBrowsers && names.length === 1)
  return (
    <p className={`overflow-clip ${isEvidence ? '' : 'text-small text-muted'}`}>
      <span className="-ms-4 flex flex-wrap *:relative *:ps-4 *:before:absolute *:before:start-1.5 *:before:content-['·']">
        {/* An operator's command has no browser. */}
        {method !== 'operator' && (
          <span className={isEvidence ? 'font-medium' : ''}>
            {areOnlyLatest ? <Filled message={words.last} values={{ browser: source }} /> : source}
          </span>
        )}
        <span>
          <Moment at={at} />
        </span>
      </span>
    </p>
  )
}
