'use client'

import { type ReactNode, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { RecoveryCodesSetting } from '@/components/account/recovery/recovery-codes-setting'
import { AllKnown, MayStay } from '@/components/account/secure/answers'
import { type Situation, type Step, useProgress } from '@/components/account/secure/use-progress'
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
}

/**
 * The steps that keep a stranger out. The next step's button is the page's main one.
 *
 * @param isCalm whether nothing has happened: the page is then a check-up, in which everything may stay as it is
 */
export function useSecureSteps(isCalm: boolean, { passkeys, sessions, apps, ...situation }: SecureSituation) {
  const titles = useTitles(isCalm)
  const progress = useProgress(situation)
  const [confirmed, setConfirmed] = useState<Step[]>([])
  const [showsCodes, setShowsCodes] = useState(false)
  const { account } = useAccountContext()
  // As the page opened: new codes are shown where they were created, and would be lost in another place.
  const [hadCodes] = useState(account.recoveryCodesLeft > 0)
  const answer = (step: Step, isNext: boolean) => ({
    // In an alarm, this is not what to press first.
    isNext: isNext && isCalm,
    onConfirm: () => setConfirmed((before) => [...before, step]),
  })
  const contents: Record<Step, (isNext: boolean) => ReactNode> = {
    passkeys: (isNext) => (
      <AllKnown {...answer('passkeys', isNext)}>
        <div className="pt-3 pb-4">{passkeys}</div>
      </AllKnown>
    ),
    sessions: (isNext) =>
      isCalm ? (
        <AllKnown {...answer('sessions', isNext)}>
          <div className="bleed-card pb-4">{sessions}</div>
        </AllKnown>
      ) : (
        <SignOutElsewhere isNext={isNext} />
      ),
    password: (isNext) =>
      isCalm ? (
        <MayStay {...answer('password', isNext)}>
          <PasswordSetting isNext={false} />
        </MayStay>
      ) : (
        <PasswordSetting isNext={isNext} />
      ),
    apps: (isNext) => (
      <AllKnown {...answer('apps', isNext)}>
        <div className="bleed-card pb-1">{apps}</div>
      </AllKnown>
    ),
    codes: (isNext) =>
      isCalm && hadCodes ? (
        <MayStay {...answer('codes', isNext)}>
          <RecoveryCodesSetting isNext={false} onSheet={setShowsCodes} />
        </MayStay>
      ) : (
        <RecoveryCodesSetting isNext={isNext} onSheet={setShowsCodes} />
      ),
  }
  return progress.map(({ step, isOver }) => ({
    title: titles[step],
    // Codes not before they are saved.
    isDone: (isOver || confirmed.includes(step)) && !(step === 'codes' && showsCodes),
    content: contents[step],
  }))
}

/** In a check-up a step is named by what it is about, otherwise by what to do. */
function useTitles(isCalm: boolean): Record<Step, string> {
  const { removePasskeys } = useWords('notices')
  const { removeApps } = useWords('secure')
  const { changePassword, createNewCodes, recoveryCodes } = useWords('profile')
  const { signOutElsewhere, title } = useWords('sessions')
  const { title: apps } = useWords('apps')
  const { password } = useWords('forms')
  const { passkeys } = useWords('account')
  return isCalm
    ? { passkeys, sessions: title, password: password.label, apps, codes: recoveryCodes }
    : {
        passkeys: removePasskeys,
        sessions: signOutElsewhere,
        password: changePassword,
        apps: removeApps,
        codes: createNewCodes,
      }
}
