'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionOutcomes } from '@/components/account/action-outcomes'
import { RecoveryCodeSheet } from '@/components/account/recovery-code-sheet'
import { Setting } from '@/components/account/setting'
import { useAccountAction } from '@/components/account/use-account-action'
import { Button } from '@/components/ui/button'
import { createRecoveryCodes } from '@/lib/browser/recovery-codes'

/** How many recovery codes are left, and how to make new ones; they are shown once. */
export function RecoveryCodesSetting() {
  const { recoveryCodesLeft: left } = useAccountPage().account
  return (
    <Setting
      id="recovery-codes"
      name="Recovery codes"
      value={left === 0 ? 'None' : `${left} left`}
      ask={left === 0 ? 'Make codes' : 'Make new'}
      of={left === 0 ? '' : ' codes'}
    >
      {(close) => <CodeMaker onClose={close} />}
    </Setting>
  )
}

function CodeMaker({ onClose }: { onClose: () => void }) {
  const { account } = useAccountPage()
  const router = useRouter()
  const scope = useRef<HTMLDivElement>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const action = useAccountAction(scope, () => {
    router.refresh()
    return 'Here are your codes. They are shown only now, so keep them before you go on.'
  })
  const pending = action.pending !== null
  return (
    <div ref={scope}>
      <ActionOutcomes action={action} />
      {codes ? (
        <RecoveryCodeSheet codes={codes} onDone={() => onClose()} />
      ) : (
        <>
          <p className="mb-4 max-w-prose text-muted">
            Ten codes to print or write down, for the day when nothing else lets you in. Each works once
            {account.recoveryCodesLeft > 0 && ', and new ones replace those you have now'}.
          </p>
          <div className="flex flex-wrap gap-2">
            <Button pending={pending} onClick={() => action.run('codes', () => createRecoveryCodes(account, setCodes))}>
              Make ten codes
            </Button>
            <Button look="quiet" disabled={pending} onClick={() => onClose()}>
              Cancel
            </Button>
          </div>
        </>
      )}
    </div>
  )
}
