'use client'

import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ConfirmDialog } from '@/components/account/forms/confirm-dialog'
import { useAccountAction } from '@/components/account/forms/use-account-action'
import { keeperOf } from '@/components/passkeys/keeper'
import { passkeyListPlace, useFocusPasskeyList } from '@/components/passkeys/passkey-list-place'
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
  const { remove } = useWords('account')
  const words = useWords('passkeys')
  const fill = useFill()
  const { account } = useAccountContext()
  const focusList = useFocusPasskeyList()
  const { showDone } = usePageFeedback()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const onDone = () => {
    showDone(passkeyListPlace, fill(words.removed, { name: passkey.name }))
    leaveList()
    return undefined
  }
  const action = useAccountAction(form, { inDialog: true })
  const isGone = action.failure?.code === 'not_found'

  function leaveList() {
    router.refresh()
    focusList()
    onClose()
  }
  return (
    <ConfirmDialog
      title={fill(words.removeQuestion, { name: passkey.name })}
      text={fill(words.removeText, { provider: passkey.provider ?? words[keeperOf(passkey)] })}
      form={form}
      action={action}
      cancel={isGone ? words.close : undefined}
      confirm={isGone ? null : remove}
      onConfirm={() => void action.run('remove', () => removePasskey(account, passkey), onDone)}
      onClose={isGone ? leaveList : onClose}
    >
      {inUse && <Callout>{words.inUse}</Callout>}
    </ConfirmDialog>
  )
}
