'use client'

import { useRef, useState } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { useAnnounce } from '@/components/account/announcements'
import { EventSource } from '@/components/account/event-source'
import { Button } from '@/components/ui/button'
import { Filled } from '@/components/ui/filled'
import { AlertIcon } from '@/components/ui/form-icons'
import { usePageFeedback } from '@/components/ui/page-feedback'
import { useLocale, useWords } from '@/components/ui/words'
import { dismissNotices } from '@/lib/browser/notice-memory'
import { describeNotice, type Notice } from '@/lib/browser/notices'

/** What the owner should look at, until it is dismissed in this browser. `notices`: newest first */
export function Notices({ notices }: { notices: Notice[] }) {
  const words = useWords('notices')
  const { account } = useAccountPage()
  const { focusAfterUpdate } = usePageFeedback()
  const announce = useAnnounce()
  const area = useRef<HTMLDivElement>(null)
  const [dismissedUntil, setDismissedUntil] = useState(0)
  const until = Math.max(0, ...notices.map(({ at }) => Date.parse(at)))

  function dismiss() {
    dismissNotices(account.id, until)
    setDismissedUntil(until)
    announce(words.dismissed)
    // The pressed button goes away.
    focusAfterUpdate(() => area.current)
  }
  return (
    <div ref={area} tabIndex={-1} className="outline-none">
      {until > dismissedUntil && (
        <section aria-labelledby="notices" className="mb-5 rounded-card border border-edge bg-surface px-card py-5">
          <h2 id="notices" className="flex items-center gap-2.5 text-title font-semibold">
            <span className="text-danger">
              <AlertIcon />
            </span>
            {words.title}
          </h2>
          <NoticeList notices={notices} />
          <Advice notices={notices} hasPassword={account.hasPassword} />
          <div className="mt-4 flex *:grow sm:*:grow-0">
            <Button look="secondary" onClick={dismiss}>
              {words.dismiss}
            </Button>
          </div>
        </section>
      )}
    </div>
  )
}

function NoticeList({ notices }: { notices: Notice[] }) {
  const activity = { locale: useLocale(), words: useWords('activity') }
  const words = useWords('notices')
  return (
    <ul className="mt-3 divide-y divide-line border-y border-line">
      {notices.map((notice) => (
        <li key={notice.type} className="py-2.5">
          <p className="font-medium">{describeNotice(activity, words, notice)}</p>
          <EventSource event={notice} latest={notice.count > 1} />
        </li>
      ))}
    </ul>
  )
}

function Advice({ notices, hasPassword }: { notices: Notice[]; hasPassword: boolean }) {
  const words = useWords('notices')
  const onlyFailures = notices.every(({ type }) => type === 'signin_failed')
  const changePassword = <TextLink href="#password">{words.changePassword}</TextLink>
  const removePasskeys = <TextLink href="/passkeys">{words.removePasskeys}</TextLink>
  const advice = () => {
    if (onlyFailures && !hasPassword) return words.nothingToGuess
    if (onlyFailures) return <Filled message={words.onlyFailures} values={{ changePassword }} />
    if (hasPassword) return <Filled message={words.withPassword} values={{ changePassword, removePasskeys }} />
    return <Filled message={words.withoutPassword} values={{ removePasskeys }} />
  }
  return <p className="mt-3 max-w-prose text-small text-muted">{advice()}</p>
}

const TextLink = ({ href, children }: { href: string; children: string }) => (
  <a href={href} className="font-medium text-ink underline">
    {children}
  </a>
)
