'use client'

import { type ReactNode, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { RecoveryCodesSetting } from '@/components/account/recovery/recovery-codes-setting'
import { SignOutElsewhere } from '@/components/account/sessions/sign-out-elsewhere'
import { PasswordSetting } from '@/components/account/settings/password-setting'
import { Button } from '@/components/ui/button'
import { useWords } from '@/components/ui/words/words'
import type { EventType } from '@/lib/api/schemas'

export interface SecureSituation {
  /** The account's passkeys, some of which may be a stranger's. */
  passkeys: ReactNode
  /** Its sessions, for a check-up. */
  sessions: ReactNode
  /** Whether a stranger may have got in; false if there were only attempts. */
  mayHaveIntruder: boolean
  hasOtherSessions: boolean
  /** What this browser has done since the newest notice. */
  done: EventType[]
}

type Confirmed = 'passkeys' | 'sessions' | 'password'

/**
 * The steps that keep a stranger out, in the order in which they help: a completed step also closes the way back in. Codes
 * come last, because whoever still has the password could create others. The next step's button is the page's main one.
 *
 * @param isCalm whether nothing has happened: the page is then a check-up, in which everything may stay as it is
 */
export function useSecureSteps(
  isCalm: boolean,
  { passkeys, sessions, mayHaveIntruder, hasOtherSessions, done }: SecureSituation,
) {
  const { known } = useWords('secure')
  const titles = useTitles(isCalm)
  const { account } = useAccountContext()
  const [confirmed, setConfirmed] = useState<Confirmed[]>([])
  const [showsCodes, setShowsCodes] = useState(false)
  // A new password ends the other sessions, too.
  const areOthersOut = done.includes('signed_out_everywhere') || done.includes('password_changed')
  const confirmation = (what: Confirmed, isNext: boolean) => ({
    isNext,
    onConfirm: () => setConfirmed((before) => [...before, what]),
  })
  return [
    mayHaveIntruder &&
      account.passkeys.length > 0 && {
        title: titles.passkeys,
        isDone: confirmed.includes('passkeys'),
        content: (isNext: boolean) => (
          <div className="py-3">
            {passkeys}
            {/* In an alarm, this is not what to press first. */}
            <ConfirmStep {...confirmation('passkeys', isNext && isCalm)}>{known}</ConfirmStep>
          </div>
        ),
      },
    mayHaveIntruder &&
      (hasOtherSessions || areOthersOut) && {
        title: titles.sessions,
        isDone: areOthersOut || confirmed.includes('sessions'),
        content: (isNext: boolean) =>
          isCalm ? (
            <KnownSessions {...confirmation('sessions', isNext)}>{sessions}</KnownSessions>
          ) : (
            <SignOutElsewhere isNext={isNext} />
          ),
      },
    account.hasPassword && {
      title: titles.password,
      isDone: done.includes('password_changed') || confirmed.includes('password'),
      content: (isNext: boolean) =>
        isCalm ? (
          <MayStay {...confirmation('password', isNext)}>
            <PasswordSetting isNext={false} />
          </MayStay>
        ) : (
          <PasswordSetting isNext={isNext} />
        ),
    },
    mayHaveIntruder && {
      title: titles.codes,
      // Not before they are saved.
      isDone: (done.includes('recovery_codes_made') || (isCalm && account.recoveryCodesLeft > 0)) && !showsCodes,
      content: (isNext: boolean) => <RecoveryCodesSetting isNext={isNext} onSheet={setShowsCodes} />,
    },
  ].filter((step) => step !== false)
}

interface Confirmation {
  isNext: boolean
  onConfirm: () => void
  children: ReactNode
}

const ConfirmStep = ({ isNext, onConfirm, children }: Confirmation) => (
  <Button look={isNext ? 'primary' : 'secondary'} className="mt-4" onClick={onConfirm}>
    {children}
  </Button>
)

function KnownSessions({ children, ...confirmation }: Confirmation) {
  const { known } = useWords('secure')
  return (
    <div className="pb-3">
      <div className="bleed-card">{children}</div>
      <ConfirmStep {...confirmation}>{known}</ConfirmStep>
    </div>
  )
}

/** A step of a check-up, which may stay as it is. */
function MayStay({ children, ...confirmation }: Confirmation) {
  const { leave } = useWords('secure')
  return (
    <div className="group pb-3">
      {children}
      <div className="-mt-3 group-has-[form]:hidden">
        <ConfirmStep {...confirmation}>{leave}</ConfirmStep>
      </div>
    </div>
  )
}

/** In a check-up a step is named by what it is about, otherwise by what to do. */
function useTitles(isCalm: boolean) {
  const { removePasskeys } = useWords('notices')
  const { changePassword, createNewCodes, recoveryCodes } = useWords('profile')
  const { signOutElsewhere, title } = useWords('sessions')
  const { password } = useWords('forms')
  const { passkeys } = useWords('account')
  return isCalm
    ? { passkeys, sessions: title, password: password.label, codes: recoveryCodes }
    : { passkeys: removePasskeys, sessions: signOutElsewhere, password: changePassword, codes: createNewCodes }
}
