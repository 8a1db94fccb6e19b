'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useRef } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages } from '@/components/account/forms/action-messages'
import { FormButtons } from '@/components/account/forms/form-buttons'
import { Setting } from '@/components/account/forms/setting'
import { useAccountAction } from '@/components/account/forms/use-account-action'
import { Username } from '@/components/account/username'
import { UsernameField } from '@/components/auth/username-field'
import { Form } from '@/components/ui/forms/form'
import { submitWhenFilled, textOf } from '@/components/ui/forms/form-submission'
import { useWords } from '@/components/ui/words/words'
import { changeUsername } from '@/lib/browser/account'

export function UsernameSetting() {
  const forms = useWords('forms')
  const words = useWords('profile')
  const { account } = useAccountContext()
  return (
    <Setting
      id="username-setting"
      name={forms.username}
      value={<Username name={account.username} />}
      label={words.change}
      fullLabel={words.changeUsername}
    >
      {(close) => <UsernameForm onClose={close} />}
    </Setting>
  )
}

function UsernameForm({ onClose }: { onClose: (done?: string) => void }) {
  const words = useWords('profile')
  const { account } = useAccountContext()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form)

  function onDone() {
    // Closes the form and refreshes in one update: otherwise the page would show the old name in between.
    startTransition(() => {
      router.refresh()
      onClose(words.usernameChanged)
    })
    return undefined
  }
  const submit = submitWhenFilled(action, (data) => {
    action.run('username', () => changeUsername(textOf(data, 'username')), onDone)
  })
  return (
    <Form action={action} ref={form} onSubmit={submit} className="max-w-sm">
      <ActionMessages action={action} />
      <div className="space-y-4">
        <UsernameField
          label={words.newUsername}
          missing={words.enterNewUsername}
          hint={words.newUsernameHint}
          defaultValue={account.username}
          error={action.failure?.fields.username}
        />
        <FormButtons pending={action.pending !== null} onCancel={() => onClose()} />
      </div>
    </Form>
  )
}
