'use client'

import { type ReactNode, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { RecoveryCodesSetting } from '@/components/account/recovery/recovery-codes-setting'
import { AllKnown, MayStay } from '@/components/account/secure/answers'
import { SignOutElsewhere } from '@/components/account/sessions/sign-out-elsewhere'
import { PasswordSetting } from '@/components/account/settings/password-setting'
import { useWords } from '@/components/ui/words/words'
import type { EventType } from '@/lib/api/schemas'

export interface SecureSituation {
  /** The account's passkeys, some of which may be a stranger's. */
  passkeys: ReactNode
  /** Its sessions, for a check-up. */
  sessions: ReactNode
  /** The apps that it has let in. */
  apps: ReactNode
  /** Whether a stranger may have got in; false if there were only attempts. */
  mayHaveIntruder: boolean
  hasOtherSessions: boolean
  hasApps: boolean
  /** What this browser has done since the newest notice. */
  done: EventType[]
}

type Confirmed = 'passkeys' | 'sessions' | 'password' | 'apps' | 'codes'

/**
 * The steps that keep a stranger out, in the order in which they help: a completed step also closes the way back in. Codes
 * come last, because whoever still has the password could create others. The next step's button is the page's main one.
 *
 * @param isCalm whether nothing has happened: the page is then a check-up, in which everything may stay as it is
 */
export function useSecureSteps(
  isCalm: boolean,
  { passkeys, sessions, apps, mayHaveIntruder, hasOtherSessions, hasApps, done }: SecureSituation,
) {
  const titles = useTitles(isCalm)
  const { account } = useAccountContext()
  const [hadApps] = useState(hasApps)
  const [confirmed, setConfirmed] = useState<Confirmed[]>([])
  const [showsCodes, setShowsCodes] = useState(false)
  // A new password ends the other sessions, too.
  const areOthersOut = done.includes('signed_out_everywhere') || done.includes('password_changed')
  const confirmation = (what: Confirmed, isNext: boolean) => ({
    // In an alarm, this is not what to press first.
    isNext: isNext && isCalm,
    onConfirm: () => setConfirmed((before) => [...before, what]),
  })
  return [
    mayHaveIntruder &&
      account.passkeys.length > 0 && {
        title: titles.passkeys,
        isDone: confirmed.includes('passkeys'),
        content: (isNext: boolean) => (
          <AllKnown {...confirmation('passkeys', isNext)}>
            <div className="pt-3">{passkeys}</div>
          </AllKnown>
        ),
      },
    mayHaveIntruder &&
      (hasOtherSessions || areOthersOut) && {
        title: titles.sessions,
        isDone: areOthersOut || confirmed.includes('sessions'),
        content: (isNext: boolean) =>
          isCalm ? (
            <AllKnown {...confirmation('sessions', isNext)}>
              <div className="bleed-card">{sessions}</div>
            </AllKnown>
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
    mayHaveIntruder &&
      hadApps && {
        title: titles.apps,
        isDone: !hasApps || confirmed.includes('apps'),
        content: (isNext: boolean) => (
          <AllKnown {...confirmation('apps', isNext)}>
            <div className="bleed-card">{apps}</div>
          </AllKnown>
        ),
      },
    mayHaveIntruder && {
      title: titles.codes,
      // Not before they are saved.
      isDone: (done.includes('recovery_codes_made') || confirmed.includes('codes')) && !showsCodes,
      content: (isNext: boolean) =>
        isCalm && account.recoveryCodesLeft > 0 ? (
          <MayStay {...confirmation('codes', isNext)}>
            <RecoveryCodesSetting isNext={false} onSheet={setShowsCodes} />
          </MayStay>
        ) : (
          <RecoveryCodesSetting isNext={isNext} onSheet={setShowsCodes} />
        ),
    },
  ].filter((step) => step !== false)
}

/** In a check-up a step is named by what it is about, otherwise by what to do. */
function useTitles(isCalm: boolean) {
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
