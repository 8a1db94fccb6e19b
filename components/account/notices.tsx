'use client'

import { type Ref, useRef, useState } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { useAnnounce } from '@/components/account/announcements'
import { EventSource } from '@/components/account/event-source'
import { Button } from '@/components/ui/button'
import { AlertIcon } from '@/components/ui/form-icons'
import { usePageFeedback } from '@/components/ui/page-feedback'
import { useLocale, useWords } from '@/components/ui/words'
import { dismissNotices } from '@/lib/browser/notice-memory'
import { describeNotice, type Notice } from '@/lib/browser/notices'

/** What the owner should look at, until this browser has an answer. `notices`: newest first */
export function Notices({ notices }: { notices: Notice[] }) {
  const words = useWords('notices')
  const { done } = useWords('profile')
  const { account } = useAccountPage()
  const { focusAfterUpdate } = usePageFeedback()
  const announce = useAnnounce()
  const area = useRef<HTMLDivElement>(null)
  const steps = useRef<HTMLDivElement>(null)
  const [dismissedUntil, setDismissedUntil] = useState(0)
  const [isSecuring, setSecuring] = useState(false)
  const until = Math.max(0, ...notices.map(({ at }) => Date.parse(at)))

  function dismiss() {
    dismissNotices(account.id, until)
    setDismissedUntil(until)
    setSecuring(false)
    announce(words.dismissed)
    // The pressed button goes away.
    focusAfterUpdate(() => area.current)
  }
  function secure() {
    setSecuring(true)
    focusAfterUpdate(() => steps.current)
  }
  return (
    <div ref={area} tabIndex={-1} className="outline-none">
      {until > dismissedUntil && (
        <section
          aria-labelledby="notices"
          className="mb-5 rounded-card border border-danger-line bg-danger-wash px-card py-5"
        >
          <h2 id="notices" className="flex items-center gap-2.5 text-title font-semibold">
            <span className="text-danger">
              <AlertIcon />
            </span>
            {words.title}
          </h2>
          <NoticeList notices={notices} />
          {isSecuring && <Steps ref={steps} notices={notices} hasPassword={account.hasPassword} />}
          <div className="mt-4 flex flex-wrap gap-2.5 *:grow sm:*:grow-0">
            <Button look="secondary" onClick={dismiss}>
              {isSecuring ? done : words.dismiss}
            </Button>
            {!isSecuring && (
              <Button look="danger" onClick={secure}>
                {words.secure}
              </Button>
            )}
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
    <ul className="mt-3 divide-y divide-danger-line border-t border-danger-line">
      {notices.map((notice) => (
        <li key={notice.type} className="py-2.5">
          <p className="font-medium">{describeNotice(activity, words, notice)}</p>
          <EventSource event={notice} latest={notice.count > 1} />
        </li>
      ))}
    </ul>
  )
}

interface StepsProps {
  ref: Ref<HTMLDivElement>
  notices: Notice[]
  hasPassword: boolean
}

/** What keeps a stranger out, in the order in which it helps. */
function Steps({ ref, notices, hasPassword }: StepsProps) {
  const words = useWords('notices')
  const { changePassword, createNewCodes } = useWords('profile')
  const { signOutElsewhere } = useWords('sessions')
  const gotIn = notices.some(({ type }) => type !== 'signin_failed')
  const steps = [
    ...(hasPassword ? [['#password', changePassword] as const] : []),
    ...(gotIn
      ? [
          ['/passkeys', words.removePasskeys] as const,
          ['#recovery-codes', createNewCodes] as const,
          ['#sessions', signOutElsewhere] as const,
        ]
      : []),
  ]
  return (
    <div ref={ref} tabIndex={-1} className="border-t border-danger-line pt-3 outline-none">
      {steps.length === 0 ? (
        <p className="max-w-prose">{words.nothingToGuess}</p>
      ) : (
        <ol className="list-decimal space-y-1.5 ps-5">
          {steps.map(([href, step]) => (
            <li key={href}>
              <a href={href} className="font-medium underline">
                {step}
              </a>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
