'use client'

import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages } from '@/components/account/action-messages'
import { useAccountAction } from '@/components/account/use-account-action'
import { passkeyListPlace, useFocusPasskeyList } from '@/components/passkeys/use-passkey-list'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { Callout } from '@/components/ui/feedback/callout'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import type { Passkey } from '@/lib/api/schemas'
import { removePasskey } from '@/lib/browser/passkeys/manage'

interface Props {
  passkey: Passkey
  inUse: boolean
  onClose: () => void
}

export function RemovePasskey({ passkey, inUse, onClose }: Props) {
  const { cancel } = useWords('forms')
  const { remove } = useWords('account')
  const words = useWords('passkeys')
  const fill = useFill()
  const { account } = useAccountContext()
  const focusList = useFocusPasskeyList()
  const { showDone } = usePageFeedback()
  const router = useRouter()
  const scope = useRef<HTMLDivElement>(null)
  const onDone = () => {
    showDone(passkeyListPlace, fill(words.removed, { name: passkey.name }))
    leaveList()
    return undefined
  }
  const action = useAccountAction(scope, { inDialog: true })
  const pending = action.pending !== null
  const isGone = action.failure?.code === 'not_found'

  function leaveList() {
    router.refresh()
    focusList()
    onClose()
  }
  const close = isGone ? leaveList : onClose
  return (
    <Dialog title={fill(words.removeQuestion, { name: passkey.name })} busy={pending} onClose={close}>
      <p className="mt-1 mb-5 text-muted">
        {fill(words.removeText, { provider: passkey.provider ?? words.passwordManager })}
      </p>
      {inUse && <Callout className="mb-5">{words.inUse}</Callout>}
      <div ref={scope}>
        <ActionMessages action={action} />
      </div>
      <DialogButtons>
        <Button look="secondary" disabled={pending} onClick={close}>
          {isGone ? words.close : cancel}
        </Button>
        {!isGone && (
          <Button
            look="danger"
            pending={pending}
            onClick={() => action.run('remove', () => removePasskey(account, passkey), onDone)}
          >
            {remove}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  )
}
