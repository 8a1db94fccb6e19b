'use client'

import { type ReactNode, useId, useRef, useState } from 'react'
import { navigateAfterSignIn } from '@/components/auth/navigate-after-sign-in'
import { Button, ButtonLink } from '@/components/ui/button'
import { useAnnounce } from '@/components/ui/feedback/announcements'
import { Messages, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { AlertIcon } from '@/components/ui/icons/form-icons'
import { useLocale, useWords } from '@/components/ui/words/words'
import { latestOf, type Notice, noticeText } from '@/lib/activity/notices'
import { dismissNotices } from '@/lib/browser/account'
import { useAccountContext } from './account-provider'
import { EventSource } from './activity'

export function NoticeList({ notices }: { notices: Notice[] }) {
  const activity = { locale: useLocale(), words: useWords('activity') }
  const words = useWords('notices')
  return (
    <ul className="mt-3 divide-y divide-danger-line border-t border-danger-line">
      {notices.map((notice) => (
        <li key={`${notice.type} ${notice.browsers[0]}`} className="py-2.5">
          <p>{noticeText(activity, words, notice)}</p>
          {/* An event counts failures of several browsers, and names one. */}
          <EventSource {...notice} mayMissBrowsers={notice.type === 'signin_failed' && notice.count > 1} isEvidence />
        </li>
      ))}
    </ul>
  )
}

export const NoticeTitle = ({ id, children }: { id: string; children: ReactNode }) => (
  <h2 id={id} className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-title font-semibold">
    <span className="text-danger">
      <AlertIcon />
    </span>
    <span className="min-w-0 grow basis-32 break-words">{children}</span>
  </h2>
)

interface Props {
  /** The newest first */
  notices: Notice[]
  /** Where "No" leads */
  secure: string
  /** Where "Yes" leads; without it, the page stays */
  next?: string
}

/** Asks the owner about notable events until they answer. */
export function Notices({ notices, secure, next }: Props) {
  const words = useWords('notices')
  const { account } = useAccountContext()
  const { show, focusAfterUpdate } = usePageFeedback()
  const announce = useAnnounce()
  const area = useRef<HTMLDivElement>(null)
  const place = useId()
  const [pending, setPending] = useState(false)
  const [dismissedUntil, setDismissedUntil] = useState(0)
  const until = latestOf(notices)

  async function dismiss() {
    setPending(true)
    const everywhere = await dismissNotices(account.id, until)
    if (next !== undefined) return navigateAfterSignIn(next, () => setPending(false))
    setPending(false)
    setDismissedUntil(until)
    // Announces it to screen readers alone, since sighted people see the notices go. A visible message says that other devices
    // may still ask.
    if (everywhere) announce(words.dismissed)
    else show({ place, status: { tone: 'info', text: words.dismissedHere } })
    // The pressed button goes away.
    focusAfterUpdate(() => area.current)
  }
  return (
    <div ref={area} tabIndex={-1} className="outline-none">
      <Messages place={place} />
      {until > dismissedUntil && (
        <section
          aria-labelledby="notices"
          className="mb-5 rounded-card border border-danger-line bg-danger-wash px-card py-5"
        >
          <NoticeTitle id="notices">{words.title}</NoticeTitle>
          <NoticeList notices={notices} />
          <div className={`mt-4 flex flex-wrap gap-2.5 *:grow ${next === undefined ? 'sm:*:grow-0' : ''}`}>
            <Button look="secondary" pending={pending} onClick={dismiss}>
              {words.dismiss}
            </Button>
            <ButtonLink look="danger" href={secure}>
              {words.secure}
            </ButtonLink>
          </div>
        </section>
      )}
    </div>
  )
}
