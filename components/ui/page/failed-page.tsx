'use client'

import { useSearchParams } from 'next/navigation'
import { useEffect, useLayoutEffect, useRef, useTransition } from 'react'
import { Button, ButtonLink } from '@/components/ui/button'
import { CardFrame } from '@/components/ui/page/card-frame'
import { useSite } from '@/components/ui/page/layout'
import { useFill } from '@/components/ui/words/filled'
import { useLocale, useWords } from '@/components/ui/words/words'
import type { ErrorCode } from '@/lib/api/errors'

export interface FailedPageProps {
  error: unknown
  retry: () => void
}

/** Replaces a page that failed. A digest is `unavailable`, or identifies the error in the server's log. */
export default function FailedPage({ error, retry }: FailedPageProps) {
  const words = useWords('failedPage')
  const fill = useFill()
  const { site, choices } = useSite()
  const language = { locale: useLocale(), choices, words: { site: useWords('site') } }
  const [isRetrying, startRetry] = useTransition()
  function tryAgain() {
    wasRetried = true
    startRetry(retry)
  }
  const heading = useFocusAfterRetry()
  const params = useSearchParams()
  const query = Object.fromEntries([...params.keys()].map((name) => [name, params.getAll(name)]))
  const digest = error instanceof Error && 'digest' in error ? String(error.digest) : null
  const isBusy = digest === ('unavailable' satisfies ErrorCode)
  const { title, text } = isBusy ? words.busy : words
  useTitle(`${title} · ${site.appName}`)
  return (
    <CardFrame language={language} site={site} query={query}>
      <h1 ref={heading} tabIndex={-1} className="text-center text-display font-semibold outline-none">
        {title}
      </h1>
      <p className="mt-2.5 mb-6 text-center text-balance text-muted">
        {text}
        {digest && !isBusy && <span className="mt-2 block text-small">{fill(words.reference, { digest })}</span>}
      </p>
      <div className="grid gap-2">
        <Button pending={isRetrying} onClick={tryAgain}>
          {words.retry}
        </Button>
        <ButtonLink href="/" look="quiet">
          {language.words.site.home}
        </ButtonLink>
      </div>
    </CardFrame>
  )
}

/** Next mounts the page anew when it fails again. */
let wasRetried = false

/**
 * Focuses the heading of a page that has failed again: the pressed button is gone, and screen readers would announce nothing
 * else.
 */
function useFocusAfterRetry() {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (wasRetried) heading.current?.focus()
    wasRetried = false
  }, [])
  return heading
}

/** Keeps this title: after an error in the browser, Next writes the failed page's title again. */
function useTitle(title: string) {
  // A layout effect, which stops observing before Next writes the next page's title.
  useLayoutEffect(() => {
    const before = document.title
    const write = () => {
      if (document.title !== title) document.title = title
    }
    write()
    const observer = new MutationObserver(write)
    observer.observe(document.head, { childList: true, characterData: true, subtree: true })
    return () => {
      observer.disconnect()
      if (document.title === title) document.title = before
    }
  }, [title])
}
