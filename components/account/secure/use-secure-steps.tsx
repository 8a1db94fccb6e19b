'use client'

import { type ReactNode, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { RecoveryCodesSetting } from '@/components/account/recovery/recovery-codes-setting'
import { AllKnown, MayStay } from '@/components/account/secure/answers'
import { isCheckUp, type Situation, type Step, useProgress } from '@/components/account/secure/use-progress'
import { SignOutElsewhere } from '@/components/account/sessions/sign-out-elsewhere'
import { PasswordSetting } from '@/components/account/settings/password-setting'
import { useWords } from '@/components/ui/words/words'

export interface SecureSituation extends Situation {
  /** The account's passkeys, some of which may be a stranger's. */
  passkeys: ReactNode
  /** Its sessions, for a check-up. */
  sessions: ReactNode
  /** The apps that it has let in. */
  apps: ReactNode
  /** Whether the recovery codes were made since a notice was answered: they end with the old password. */
  codesAreNew: boolean
}

/** Which step the person has confirmed, and when the newest notice was then: a later one opens it again. */
interface Confirmation {
  step: Step
  until: number
}

/** The steps that keep a stranger out. The next step's button is the page's main one. */
export function useSecureSteps({ passkeys, sessions, apps, codesAreNew, ...situation }: SecureSituation) {
  const { until, mayHaveIntruder } = situation
  const isCalm = isCheckUp(situation)
  const titles = useTitles(isCalm, mayHaveIntruder)
  const [confirmed, setConfirmed] = useState<Confirmation[]>([])
  const [showsCodes, setShowsCodes] = useState(false)
  const progress = useProgress(situation, { showsCodes })
  const mayKeepCodes = useAccountContext().account.recoveryCodesLeft > 0 && isCalm
  const answer = (step: Step, isNext: boolean) => ({
    // In an alarm, this is not what to press first.
    isNext: isNext && isCalm,
    onConfirm: () => setConfirmed((before) => [...before, { step, until }]),
  })
  // Settings stay where they are when a check-up becomes an alarm: what is typed or shown in them would be lost.
  const contents: Record<Step, (isNext: boolean) => ReactNode> = {
    passkeys: (isNext) => (
      <AllKnown {...answer('passkeys', isNext)}>
        <div className="pt-3 pb-4">{passkeys}</div>
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
      // After attempts alone, nobody else knows it.
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
    // Codes not before they are saved.
    isDone: (isOver || isConfirmed(step)) && !(step === 'codes' && showsCodes),
    content: contents[step],
  }))
}

/** A step is named by what to do; by what it is about where that may stay as it is. */
function useTitles(isCalm: boolean, mayHaveIntruder: boolean): Record<Step, string> {
  const { removePasskeys } = useWords('notices')
  const { removeApps } = useWords('secure')
  const { changePassword, createNewCodes, recoveryCodes } = useWords('profile')
  const { signOutElsewhere, title } = useWords('sessions')
  const { title: apps } = useWords('apps')
  const { password } = useWords('forms')
  const { passkeys } = useWords('account')
  const { account } = useAccountContext()
  // As the page opened: creating codes does not rename its step.
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
