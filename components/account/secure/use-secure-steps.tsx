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
  /** Whether a stranger may have got in; false if there were only attempts. */
  mayHaveIntruder: boolean
  hasOtherSessions: boolean
  /** What this browser has done since the newest notice. */
  done: EventType[]
}

/**
 * The steps that keep a stranger out, in the order in which they help: a completed step also closes the way back in. Codes
 * come last, because whoever still has the password could create others. The next step's button is the page's main one.
 */
export function useSecureSteps({ passkeys, mayHaveIntruder, hasOtherSessions, done }: SecureSituation) {
  const { known } = useWords('secure')
  const { removePasskeys } = useWords('notices')
  const { changePassword, createNewCodes } = useWords('profile')
  const { signOutElsewhere } = useWords('sessions')
  const { account } = useAccountContext()
  const [knowsPasskeys, setKnowsPasskeys] = useState(false)
  const [showsCodes, setShowsCodes] = useState(false)
  // A new password ends the other sessions, too.
  const areOthersOut = done.includes('signed_out_everywhere') || done.includes('password_changed')
  return [
    mayHaveIntruder &&
      account.passkeys.length > 0 && {
        title: removePasskeys,
        isDone: knowsPasskeys,
        content: (isNext: boolean) => (
          <div className="py-3">
            {passkeys}
            <Button look={isNext ? 'primary' : 'secondary'} className="mt-4" onClick={() => setKnowsPasskeys(true)}>
              {known}
            </Button>
          </div>
        ),
      },
    mayHaveIntruder &&
      (hasOtherSessions || areOthersOut) && {
        title: signOutElsewhere,
        isDone: areOthersOut,
        content: (isNext: boolean) => <SignOutElsewhere isNext={isNext} />,
      },
    account.hasPassword && {
      title: changePassword,
      isDone: done.includes('password_changed'),
      content: (isNext: boolean) => <PasswordSetting isNext={isNext} />,
    },
    mayHaveIntruder && {
      title: createNewCodes,
      // Not before they are saved.
      isDone: done.includes('recovery_codes_made') && !showsCodes,
      content: (isNext: boolean) => <RecoveryCodesSetting isNext={isNext} onSheet={setShowsCodes} />,
    },
  ].filter((step) => step !== false)
}
