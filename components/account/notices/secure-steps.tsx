'use client'

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { useAnnounce } from '@/components/account/announcements'
import { Step } from '@/components/account/notices/secure-step'
import { RecoveryCodesSetting } from '@/components/account/recovery/recovery-codes-setting'
import { SignOutElsewhere } from '@/components/account/sessions/sign-out-elsewhere'
import { PasswordSetting } from '@/components/account/settings/password-setting'
import { Button, ButtonLink } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { navigate, redirectTimeout } from '@/components/ui/navigation'
import { useWords } from '@/components/ui/words/words'
import type { EventType } from '@/lib/api/schemas'
import { dismissNotices } from '@/lib/browser/account/dismiss-notices'

interface Props {
  /** The account's passkeys, in which some may be a stranger's. */
  passkeys: ReactNode
  /** Whether a stranger may have got in, or has only tried. */
  mayHaveIntruder: boolean
  /** What this browser has done since the newest notice. */
  done: EventType[]
  /** When the newest notice was; 0 without any. */
  until: number
  next: string
  continueLabel: string
}

/** Leads through the steps, and on to `next` once all are done. */
export function SecureSteps({ until, next, continueLabel, ...situation }: Props) {
  const words = useWords('secure')
  const { nothingToGuess } = useWords('notices')
  const { account } = useAccountContext()
  const { focusAfterUpdate } = usePageFeedback()
  const announce = useAnnounce()
  const list = useRef<HTMLOListElement>(null)
  const end = useRef<HTMLDivElement>(null)
  const [isLeaving, setLeaving] = useState(false)
  const steps = useSteps(situation, (title) => {
    announce(`${words.stepDone} ${title}`)
    // The pressed button goes away.
    focusAfterUpdate(() => list.current?.querySelector<HTMLElement>(':scope > li:not([data-done]) h2') ?? end.current)
  })
  const isFinished = steps.every(({ isDone }) => isDone)
  useOnFinish(steps.length > 0 && isFinished, () => announce(words.finished))

  async function finish() {
    setLeaving(true)
    if (until > 0) await dismissNotices(account.id, until)
    navigate(next)
    setTimeout(() => setLeaving(false), redirectTimeout)
  }
  return (
    <>
      {steps.length === 0 && <p className="max-w-prose">{nothingToGuess}</p>}
      <ol ref={list} className="space-y-5">
        {steps.map(({ title, isDone, content }, index) => (
          <Step key={title} number={index + 1} title={title} isDone={isDone}>
            {content}
          </Step>
        ))}
      </ol>
      {/* Not beside codes that are open: they are gone with this page. */}
      <div
        ref={end}
        tabIndex={-1}
        className="mt-8 grid gap-4 outline-none in-[main:has([data-sheet])]:hidden sm:justify-start"
      >
        {steps.length > 0 && isFinished && <Callout tone="success">{words.finished}</Callout>}
        {isFinished ? (
          <Button pending={isLeaving} onClick={finish}>
            {continueLabel}
          </Button>
        ) : (
          <ButtonLink href={next}>{continueLabel}</ButtonLink>
        )}
      </div>
    </>
  )
}

/** Calls `onFinish` once the last step has been done on this page. */
function useOnFinish(isFinished: boolean, onFinish: () => void) {
  const wasFinished = useRef(isFinished)
  const notifyFinish = useEffectEvent(onFinish)
  useEffect(() => {
    if (isFinished && !wasFinished.current) notifyFinish()
    wasFinished.current = isFinished
  }, [isFinished])
}

/**
 * What keeps a stranger out, in the order in which it helps: nobody gets back in behind a step that is done.
 *
 * @param onDone called with the title of the step that a press alone does
 */
function useSteps(
  { passkeys, mayHaveIntruder, done }: Pick<Props, 'passkeys' | 'mayHaveIntruder' | 'done'>,
  onDone: (title: string) => void,
) {
  const { known } = useWords('secure')
  const { removePasskeys } = useWords('notices')
  const { changePassword, createNewCodes } = useWords('profile')
  const { signOutElsewhere } = useWords('sessions')
  const { account } = useAccountContext()
  const [knowsPasskeys, setKnowsPasskeys] = useState(false)
  const [showsCodes, setShowsCodes] = useState(false)
  function knowPasskeys() {
    setKnowsPasskeys(true)
    onDone(removePasskeys)
  }
  return [
    mayHaveIntruder &&
      account.passkeys.length > 0 && {
        title: removePasskeys,
        isDone: knowsPasskeys,
        content: (
          <div className="py-3">
            {passkeys}
            {!knowsPasskeys && (
              <Button look="secondary" className="mt-4" onClick={knowPasskeys}>
                {known}
              </Button>
            )}
          </div>
        ),
      },
    // A new password ends the other sessions, too.
    mayHaveIntruder && {
      title: signOutElsewhere,
      isDone: done.includes('signed_out_everywhere') || done.includes('password_changed'),
      content: <SignOutElsewhere />,
    },
    account.hasPassword && {
      title: changePassword,
      isDone: done.includes('password_changed'),
      content: <PasswordSetting />,
    },
    mayHaveIntruder && {
      title: createNewCodes,
      // Not before they are saved.
      isDone: done.includes('recovery_codes_made') && !showsCodes,
      content: <RecoveryCodesSetting isAside onSheet={setShowsCodes} />,
    },
  ].filter((step) => step !== false)
}
