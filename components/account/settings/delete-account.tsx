'use client'

import { useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { useAccountAction } from '@/components/account/action'
import { ConfirmDialog } from '@/components/account/confirm-dialog'
import { Button } from '@/components/ui/button'
import { Field, textOf } from '@/components/ui/forms/form'
import { BinIcon } from '@/components/ui/icons/icons'
import { navigate } from '@/components/ui/navigation'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { deleteAccount } from '@/lib/browser/account'

export function DeleteAccount() {
  const words = useWords('profile')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet-danger" className="outdent forced-colors:mt-2" onClick={() => setOpen(true)}>
        {/* An adopter's accent may be as red. */}
        <BinIcon />
        {words.deleteThis}
      </Button>
      {isOpen && <DeleteDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const words = useWords('profile')
  const fill = useFill()
  const { account } = useAccountContext()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form, { inDialog: true })
  const instruction = fill(words.typeToConfirm, { username: account.username })

  function confirm(form: HTMLFormElement) {
    const typed = textOf(new FormData(form), 'username').trim()
    if (typed !== account.username) return action.setFieldErrors({ username: instruction })
    action.run(
      'delete',
      () => deleteAccount(account),
      () => navigate('/'),
    )
  }
  return (
    <ConfirmDialog
      title={words.deleteQuestion}
      text={words.deleteWarning}
      form={form}
      action={action}
      confirm={words.deleteAccount}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Field
        name="username"
        label={words.yourUsername}
        hint={instruction}
        missing={instruction}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        error={action.failure?.fields.username}
      />
    </ConfirmDialog>
  )
}
