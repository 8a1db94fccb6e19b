'use client'

import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionOutcomes } from '@/components/account/action-outcomes'
import { useAccountAction } from '@/components/account/use-account-action'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import type { Passkey } from '@/lib/api/schemas'
import { removePasskey } from '@/lib/browser/passkeys/manage'

/** Asks before a passkey goes, and says so on the page when it has gone. */
export function RemovePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { account, tell } = useAccountPage()
  const router = useRouter()
  const scope = useRef<HTMLDivElement>(null)
  const action = useAccountAction(scope, () => {
    router.refresh()
    tell(`“${passkey.name}” was removed.`)
    onClose()
    return undefined
  })
  const pending = action.pending !== null
  const isGone = action.failure?.code === 'not_found'

  function close() {
    // The list of this page is older than another tab's.
    if (isGone) router.refresh()
    onClose()
  }
  return (
    <Dialog title={`Remove “${passkey.name}”?`} busy={pending} onClose={close}>
      <p className="mt-1 mb-5 text-muted">
        It will not sign you in here anymore. {passkey.provider ?? 'Your password manager'} may keep a copy until you
        delete it there, too.
      </p>
      <div ref={scope}>
        <ActionOutcomes action={action} />
      </div>
      <DialogButtons>
        <Button look="secondary" disabled={pending} onClick={close}>
          {isGone ? 'Close' : 'Keep it'}
        </Button>
        {!isGone && (
          <Button
            look="danger"
            pending={pending}
            onClick={() => action.run('remove', () => removePasskey(account, passkey))}
          >
            Remove
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  )
}
