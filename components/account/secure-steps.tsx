'use client'

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import {
  isCheckUp,
  type SecureSituation,
  SecureStep,
  type Step,
  useSecureSteps,
} from '@/components/account/use-secure-steps'
import { Button, ButtonLink } from '@/components/ui/button'
import { useAnnounce } from '@/components/ui/feedback/announcements'
import { Callout } from '@/components/ui/feedback/callout'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { navigate } from '@/components/ui/navigation'
import { useLocale, useWords } from '@/components/ui/words/words'
import { dismissNotices } from '@/lib/browser/account'
import { fill, listed } from '@/lib/messages/format/text'

interface Props extends SecureSituation {
  /** Says what has happened, and what to do about it */
  intro: ReactNode
  /** Messages of actions in a step, outside of it, because it may have collapsed */
  messages: ReactNode
  next: string
  continueLabel: string
}

/** Leads through the steps, and on to `next` once all are done. */
export function SecureSteps({ intro, messages, next, continueLabel, ...situation }: Props) {
  const words = useWords('secure')
  const { focusAfterUpdate } = usePageFeedback()
  const announce = useAnnounce()
  const list = useRef<HTMLOListElement>(null)
  const top = useRef<HTMLDivElement>(null)
  const finished = isCheckUp(situation) ? words.calmFinished : words.finished
  const steps = useSecureSteps(situation)
  const firstOpen = steps.findIndex(({ isDone }) => !isDone)
  const isFinished = firstOpen === -1
  useOnDone(steps, (titles) => {
    announce(isFinished ? finished : `${words.stepDone} ${titles.join(', ')}`)
    // Moves the focus, because the pressed button goes away.
    focusAfterUpdate(() =>
      isFinished ? top.current : list.current?.querySelector<HTMLElement>(':scope > li:not([data-done]) h2'),
    )
  })

  return (
    <>
      <div ref={top} tabIndex={-1} className="mb-8 scroll-mt-6 outline-none">
        {steps.length > 0 && isFinished ? (
          <Callout tone="success" className="mt-4">
            {finished} {isCheckUp(situation) && <WaysIn />}
          </Callout>
        ) : (
          intro
        )}
      </div>
      {messages}
      <ol ref={list} className="space-y-5">
        {steps.map(({ step, title, isDone, content }, index) => (
          <SecureStep key={step} number={index + 1} title={title} isDone={isDone}>
            {content(index === firstOpen)}
          </SecureStep>
        ))}
      </ol>
      <Continue isFinished={isFinished} until={situation.until} next={next} label={continueLabel} />
    </>
  )
}

/** What opens the account, now that all of it has been looked at. */
function WaysIn() {
  const words = useWords('secure')
  const { passkeyCount } = useWords('profile')
  const locale = useLocale()
  const { passkeys, hasPassword, recoveryCodesLeft } = useAccountContext().account
  const ways = [
    passkeys.length > 0 && fill(locale, passkeyCount, { count: passkeys.length }),
    hasPassword && words.aPassword,
    recoveryCodesLeft > 0 && fill(locale, words.codeCount, { count: recoveryCodesLeft }),
  ].filter((way) => way !== false)
  return fill(locale, words.ways, { ways: listed(locale, ways) })
}

interface ContinueProps extends Pick<Props, 'until' | 'next'> {
  isFinished: boolean
  label: string
}

/** Leads on, and once all steps are done, dismisses the notices that led here. */
function Continue({ isFinished, until, next, label }: ContinueProps) {
  const { account } = useAccountContext()
  const [isLeaving, setLeaving] = useState(false)

  async function finish() {
    setLeaving(true)
    if (until > 0) await dismissNotices(account.id, until)
    navigate(next, () => setLeaving(false))
  }
  return (
    // Hidden while the page shows codes, since leaving the page loses them.
    <div className={`mt-8 grid in-[main:has([data-sheet])]:hidden sm:justify-start ${isFinished ? '' : 'sm:outdent'}`}>
      {isFinished ? (
        <Button pending={isLeaving} onClick={finish}>
          {label}
        </Button>
      ) : (
        <ButtonLink href={next} look="quiet">
          {label}
        </ButtonLink>
      )}
    </div>
  )
}

interface StepState {
  step: Step
  title: string
  isDone: boolean
}

/** Calls `onDone` with the titles of the steps that the person has done on this page. */
function useOnDone(steps: StepState[], onDone: (titles: string[]) => void) {
  const done = steps.filter(({ isDone }) => isDone)
  const before = useRef(done)
  const notifyDone = useEffectEvent(() => {
    const isNew = ({ step }: StepState) => !before.current.some((one) => one.step === step)
    const titles = done.filter(isNew).map(({ title }) => title)
    before.current = done
    if (titles.length > 0) onDone(titles)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: which steps are done is what changes.
  useEffect(() => notifyDone(), [done.map(({ step }) => step).join()])
}
