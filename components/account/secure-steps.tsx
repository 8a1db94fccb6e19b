'use client'

import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages } from '@/components/account/action'
import { RecoveryCodesSetting } from '@/components/account/recovery-codes'
import { useSignOuts } from '@/components/account/sessions'
import { PasswordSetting } from '@/components/account/settings/password-setting'
import { Button, ButtonLink } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { useAnnounce } from '@/components/ui/feedback/announcements'
import { Callout } from '@/components/ui/feedback/callout'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { CheckIcon } from '@/components/ui/icons/form-icons'
import { navigate } from '@/components/ui/navigation'
import { useLocale, useWords } from '@/components/ui/words/words'
import type { EventType } from '@/lib/api/schemas'
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

export type Step = 'passkeys' | 'sessions' | 'password' | 'apps' | 'codes'

interface SecureSituation extends Situation {
  /** The account's passkeys, some of which may be a stranger's. */
  passkeys: ReactNode
  /** Its sessions, for a check-up. */
  sessions: ReactNode
  /** The apps that it has let in. */
  apps: ReactNode
  /** True if the recovery codes are younger than the last answer to a notice, so that they end with the old password */
  codesAreNew: boolean
}

/** A step that the person has confirmed, with the time of the newest notice by then: a later notice opens the step again. */
interface Confirmation {
  step: Step
  until: number
}

/** The steps that keep a stranger out. The next step's button is the page's main one. */
function useSecureSteps({ passkeys, sessions, apps, codesAreNew, ...situation }: SecureSituation) {
  const { until, mayHaveIntruder } = situation
  const isCalm = isCheckUp(situation)
  const titles = useTitles(isCalm, mayHaveIntruder)
  const [confirmed, setConfirmed] = useState<Confirmation[]>([])
  const [showsCodes, setShowsCodes] = useState(false)
  const progress = useProgress(situation, { showsCodes })
  const mayKeepCodes = useAccountContext().account.recoveryCodesLeft > 0 && isCalm
  const answer = (step: Step, isNext: boolean) => ({
    // In an alarm, another button comes first.
    isNext: isNext && isCalm,
    isCalm: !mayHaveIntruder,
    onConfirm: () => setConfirmed((before) => [...before, { step, until }]),
  })
  // Keeps settings in place when a check-up becomes an alarm, so that they keep their text and codes.
  const contents: Record<Step, (isNext: boolean) => ReactNode> = {
    passkeys: (isNext) => (
      <AllKnown {...answer('passkeys', isNext)}>
        <div className="pb-1">{passkeys}</div>
      </AllKnown>
    ),
    sessions: (isNext) =>
      isCalm ? (
        <AllKnown {...answer('sessions', isNext)}>
          <div className="bleed-card">{sessions}</div>
        </AllKnown>
      ) : (
        <SignOutElsewhere isNext={isNext} />
      ),
    password: (isNext) => (
      // After attempts alone, no stranger knows the password.
      <MayStay {...answer('password', isNext)} isOffered={!mayHaveIntruder}>
        <PasswordSetting isNext={isNext && !isCalm} unanswered={{ passkeys: [], codes: codesAreNew }} />
      </MayStay>
    ),
    apps: (isNext) => (
      <AllKnown {...answer('apps', isNext)}>
        <div className="bleed-card pb-1">{apps}</div>
      </AllKnown>
    ),
    codes: (isNext) => (
      <MayStay {...answer('codes', isNext)} isOffered={mayKeepCodes}>
        <RecoveryCodesSetting isNext={isNext && !mayKeepCodes} onSheet={setShowsCodes} />
      </MayStay>
    ),
  }
  const isConfirmed = (step: Step) => confirmed.some((one) => one.step === step && one.until === until)
  return progress.map(({ step, isOver }) => ({
    step,
    title: titles[step],
    // Codes are done once the person has saved them.
    isDone: (isOver || isConfirmed(step)) && !(step === 'codes' && showsCodes),
    content: contents[step],
  }))
}

/** Names a step by what to do, or where everything may stay as it is, by its subject. */
function useTitles(isCalm: boolean, mayHaveIntruder: boolean): Record<Step, string> {
  const { removePasskeys } = useWords('notices')
  const { removeApps } = useWords('secure')
  const { changePassword, createNewCodes, recoveryCodes } = useWords('profile')
  const { signOutElsewhere, title } = useWords('sessions')
  const { title: apps } = useWords('apps')
  const { password } = useWords('forms')
  const { passkeys } = useWords('account')
  const { account } = useAccountContext()
  // Remembers the state when the page opened, so that creating codes does not rename its step.
  const [hadCodes] = useState(account.recoveryCodesLeft > 0)
  return isCalm
    ? { passkeys, sessions: title, password: password.label, apps, codes: recoveryCodes }
    : {
        passkeys: removePasskeys,
        sessions: signOutElsewhere,
        password: mayHaveIntruder ? changePassword : password.label,
        apps: removeApps,
        codes: hadCodes ? createNewCodes : recoveryCodes,
      }
}

interface Situation {
  /** The time of the newest notice; 0 without any */
  until: number
  /** True if by the notices a stranger may have got in; attempts alone do not count */
  mayHaveIntruder: boolean
  hasOtherSessions: boolean
  hasApps: boolean
  /** This browser's actions since the newest notice */
  done: EventType[]
}

/** True for a check-up: nothing has happened, and everything may stay as it is. Otherwise the page is an alarm. */
const isCheckUp = ({ until }: Pick<Situation, 'until'>) => until === 0

/**
 * Finds out which steps are over. They stand in the order in which they help: each also closes the way back in. Codes come
 * last, because a thief who still has the password could create others. A step with nothing left to do is over, and keeps its
 * place.
 */
function useProgress(situation: Situation, { showsCodes }: { showsCodes: boolean }) {
  const { mayHaveIntruder, hasOtherSessions, hasApps, done } = situation
  const { passkeys, hasPassword } = useAccountContext().account
  const includesAll = isCheckUp(situation) || mayHaveIntruder
  // A new password ends the other sessions, too.
  const areOthersOut = done.includes('signed_out_everywhere') || done.includes('password_changed')
  const isConcerned: Record<Step, boolean> = {
    passkeys: useEver(passkeys.length > 0) && includesAll,
    sessions: useEver(hasOtherSessions || areOthersOut) && includesAll,
    password: useEver(hasPassword),
    apps: useEver(hasApps) && includesAll,
    // Not over while the page shows codes, which the person has yet to save.
    codes: includesAll || showsCodes,
  }
  const isOver: Record<Step, boolean> = {
    passkeys: passkeys.length === 0,
    // Not over in a check-up, which lists sessions: there may be others since.
    sessions: !hasOtherSessions || (areOthersOut && !isCheckUp(situation)),
    password: !hasPassword || done.includes('password_changed'),
    apps: !hasApps,
    codes: done.includes('recovery_codes_made'),
  }
  return steps.filter((step) => isConcerned[step]).map((step) => ({ step, isOver: isOver[step] }))
}

const steps: Step[] = ['passkeys', 'sessions', 'password', 'apps', 'codes']

/** True once the condition has held since the page opened. */
function useEver(isSo: boolean): boolean {
  const [was, setWas] = useState(isSo)
  if (isSo && !was) setWas(true)
  return was || isSo
}

/** Ends all other sessions. */
function SignOutElsewhere({ isNext }: { isNext: boolean }) {
  const { sessionsText } = useWords('secure')
  const { signOutElsewhere } = useWords('sessions')
  const scope = useRef<HTMLDivElement>(null)
  const { action, elsewhere } = useSignOuts(scope)
  return (
    <div ref={scope} tabIndex={-1} className="py-3 outline-none">
      <ActionMessages action={action} />
      <p className="mb-4 text-muted">{sessionsText}</p>
      <Button
        look={isNext ? 'primary' : 'secondary'}
        className="max-sm:w-full"
        pending={action.pending !== null}
        onClick={elsewhere}
      >
        {signOutElsewhere}
      </Button>
    </div>
  )
}

const TitleId = createContext<string | undefined>(undefined)

/** The id of the title of the step around a component. */
const useStepTitleId = () => useContext(TitleId)

interface StepProps {
  number: number
  title: string
  isDone: boolean
  children: ReactNode
}

/** A step that secures an account. Once done, it collapses to its title and a tick, so the page gets shorter. */
function SecureStep({ number, title, isDone, children }: StepProps) {
  const { stepDone } = useWords('secure')
  const titleId = useId()
  const heading = (
    <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      {isDone ? (
        <span className="flex h-lh items-center self-start text-success">
          <CheckIcon />
          <span className="sr-only">{stepDone}</span>
        </span>
      ) : (
        <span className="text-muted">{number}.</span>
      )}
      <span className="min-w-0 grow basis-36 break-words">{title}</span>
    </span>
  )
  return (
    <li data-done={isDone || undefined}>
      <Card title={heading} titleId={titleId} isFocusable>
        <TitleId value={titleId}>{!isDone && <div className="px-card py-1">{children}</div>}</TitleId>
      </Card>
    </li>
  )
}

interface AnswerProps {
  /** True for the button to press first */
  isNext: boolean
  isCalm: boolean
  onConfirm: () => void
  /** The statement that the person confirms */
  children: ReactNode
}

/** Button for "I recognize all of these". In an alarm, the buttons that remove stand out beside it. */
function AllKnown({ children, ...answer }: AnswerProps) {
  const { known } = useWords('secure')
  return (
    <div className="pb-3">
      {children}
      <div className={answer.isCalm ? '' : 'sm:outdent'}>
        <Answer {...answer}>{known}</Answer>
      </div>
    </div>
  )
}

/** Button for "this may stay as it is", where the step offers that and while nobody is changing the setting. */
function MayStay({ isOffered, children, ...answer }: AnswerProps & { isOffered: boolean }) {
  const { leave } = useWords('secure')
  return (
    <div className="group">
      {children}
      {isOffered && (
        <div className="mt-1 pb-3 group-has-data-open:hidden">
          <Answer {...answer}>{leave}</Answer>
        </div>
      )}
    </div>
  )
}

/** A button with the step's title as its description, because several steps have the same answer. */
const Answer = ({ isNext, isCalm, onConfirm, children }: AnswerProps) => (
  <Button
    look={isNext ? 'primary' : isCalm ? 'secondary' : 'quiet'}
    aria-describedby={useStepTitleId()}
    className="max-sm:w-full"
    onClick={onConfirm}
  >
    {children}
  </Button>
)
