'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionMessages } from '@/components/account/action-messages'
import { RecoveryCodeSheet } from '@/components/account/recovery-code-sheet'
import { Setting } from '@/components/account/setting'
import { useAccountAction } from '@/components/account/use-account-action'
import { Button } from '@/components/ui/button'
import { usePageFeedback } from '@/components/ui/page-feedback'
import { createRecoveryCodes } from '@/lib/browser/recovery-codes'

export function RecoveryCodesSetting() {
  const { recoveryCodesLeft: left } = useAccountPage().account
  return (
    <Setting
      id="recovery-codes"
      name="Recovery codes"
      value={left === 0 ? 'None' : `${left} left`}
      label={left === 0 ? 'Create codes' : 'Create new codes'}
    >
      {(close) => <CodeCreator onClose={close} />}
    </Setting>
  )
}

function CodeCreator({ onClose }: { onClose: () => void }) {
  const { account } = useAccountPage()
  const { focusAfterUpdate } = usePageFeedback()
  const router = useRouter()
  const scope = useRef<HTMLDivElement>(null)
  const sheet = useRef<HTMLElement>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  const action = useAccountAction(scope, () => {
    router.refresh()
    focusAfterUpdate(() => sheet.current)
    return "Save these codes now. You won't be able to see them again."
  })
  const pending = action.pending !== null
  return (
    <div ref={scope}>
      <ActionMessages action={action} />
      {codes ? (
        <RecoveryCodeSheet ref={sheet} codes={codes} onDone={() => onClose()} />
      ) : (
        <>
          <p className="mb-4 max-w-prose text-muted">
            Ten codes to print or write down, for when you can't sign in any other way. Each code works once.
            {account.recoveryCodesLeft > 0 && ' New codes replace your current ones.'}
          </p>
          <div className="flex flex-wrap gap-2">
            <Button pending={pending} onClick={() => action.run('codes', () => createRecoveryCodes(account, setCodes))}>
              Create ten codes
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
