'use client'

import { type ReactNode, useId, useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { EventSource } from '@/components/account/activity'
import { Button, ButtonLink } from '@/components/ui/button'
import { useAnnounce } from '@/components/ui/feedback/announcements'
import { Messages, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { AlertIcon, InfoIcon } from '@/components/ui/icons/form-icons'
import { navigateAfterSignIn } from '@/components/ui/navigation'
import { useLocale, useWords } from '@/components/ui/words/words'
import { latestOf, mayHaveIntruder, type Notice, noticeText } from '@/lib/activity/notices'
import { dismissNotices } from '@/lib/browser/account'

interface NoticeListProps {
  notices: Notice[]
  /** Renders the answers to one notice, which the element with this id says */
  answers?: (notice: Notice, sentenceId: string) => ReactNode
}

const keyOf = ({ type, method, browsers }: Notice) => `${type} ${method === 'operator'} ${browsers[0]}`

export function NoticeList({ notices, answers }: NoticeListProps) {
  const activity = { locale: useLocale(), words: useWords('activity') }
  const words = useWords('notices')
  const id = useId()
  return (
    <ul className="mt-3 divide-y divide-inherit border-t border-inherit">
      {notices.map((notice, index) => (
        <li key={keyOf(notice)} className="py-2.5">
          <p id={`${id}${index}`}>{noticeText(activity, words, notice)}</p>
          {/* An event counts failures of several browsers, and names one. */}
          <EventSource {...notice} mayMissBrowsers={notice.type === 'signin_failed' && notice.count > 1} isEvidence />
          {answers?.(notice, `${id}${index}`)}
        </li>
      ))}
    </ul>
  )
}

export const NoticeTitle = ({ id, isCalm, children }: { id: string; isCalm?: boolean; children: ReactNode }) => (
  <h2 id={id} className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-title font-semibold">
    <span className={isCalm ? 'text-muted' : 'text-danger'}>{isCalm ? <InfoIcon /> : <AlertIcon />}</span>
    <span className="min-w-0 grow basis-32 break-words">{children}</span>
  </h2>
)

interface Props {
  /** The newest first */
  notices: Notice[]
  /** Where "No" leads */
  secure: string
  /** Where "Yes" leads; without it, the page stays, and the notices stand in a frame of their own */
  next?: string
}

/**
 * Asks the owner about notable events until they answer: once for one, and for each of several. Failures alone are no question:
 * nobody got in. Of what an operator did, the owner knows only whether they asked for it.
 */
export function Notices({ notices, secure, next }: Props) {
  const words = useWords('notices')
  const { account } = useAccountContext()
  const { show, focusAfterUpdate } = usePageFeedback()
  const announce = useAnnounce()
  const area = useRef<HTMLDivElement>(null)
  const place = useId()
  const [pending, setPending] = useState(false)
  const [dismissedUntil, setDismissedUntil] = useState(0)
  const [answered, setAnswered] = useState<string[]>([])
  const until = latestOf(notices)
  const open = notices.filter((notice) => !answered.includes(keyOf(notice)))
  const isByOperator = notices.every(({ method }) => method === 'operator')
  const isAttempt = !mayHaveIntruder(notices)
  const isCalm = isByOperator || isAttempt
  const areSeveral = notices.length > 1
  const tone = isCalm ? 'border-line bg-surface' : 'border-danger-line bg-danger-wash'
  const title = isByOperator ? words.byAdministrator : isAttempt ? words.nobodyGotIn : words.title
  const yes = isByOperator ? words.asked : isAttempt ? words.ok : words.dismiss
  const no = isByOperator ? words.notAsked : isAttempt ? words.secureCalmly : words.secure

  /** What was dismissed counts by its time, so that all of it has to be known. */
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
  function answer(notice: Notice) {
    if (open.length === 1) return void dismiss()
    setAnswered([...answered, keyOf(notice)])
    focusAfterUpdate(() => area.current)
  }
  const yesTo = ({ type, method }: Notice) =>
    type === 'signin_failed' ? words.ok : method === 'operator' ? words.asked : words.mine
  const answersOf = (notice: Notice, sentenceId: string) => (
    <p className="outdent mt-0.5 -mb-2">
      <Button look="quiet" pending={pending} aria-describedby={sentenceId} onClick={() => answer(notice)}>
        {yesTo(notice)}
      </Button>
    </p>
  )
  return (
    <div ref={area} tabIndex={-1} className="outline-none">
      <Messages place={place} />
      {until > dismissedUntil && (
        <section
          aria-labelledby="notices"
          // Before an app the page's own card is around them.
          className={next === undefined ? `mb-5 rounded-card border px-card py-5 ${tone}` : 'border-line'}
        >
          <NoticeTitle id="notices" isCalm={isCalm}>
            {title}
          </NoticeTitle>
          <NoticeList notices={open} {...(areSeveral && { answers: answersOf })} />
          <div className={`mt-4 flex flex-wrap gap-2.5 *:grow ${next === undefined ? 'sm:*:grow-0' : ''}`}>
            {!areSeveral && (
              <Button look="secondary" pending={pending} onClick={dismiss}>
                {yes}
              </Button>
            )}
            <ButtonLink look={isCalm ? (areSeveral ? 'secondary' : 'quiet') : 'danger'} href={secure}>
              {no}
            </ButtonLink>
          </div>
        </section>
      )}
    </div>
  )
}
