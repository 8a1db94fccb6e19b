'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useRef } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages } from '@/components/account/forms/action-messages'
import { FormButtons } from '@/components/account/forms/form-buttons'
import { Setting } from '@/components/account/forms/setting'
import { useAccountAction } from '@/components/account/forms/use-account-action'
import { Field } from '@/components/ui/forms/field'
import { Form } from '@/components/ui/forms/form'
import { submitWhenFilled, textOf } from '@/components/ui/forms/form-submission'
import { useWords } from '@/components/ui/words/words'
import { changeDisplayName } from '@/lib/browser/account'

export function NameSetting() {
  const words = useWords('profile')
  const { account } = useAccountContext()
  return (
    <Setting
      id="name-setting"
      name={words.name}
      value={account.displayName === null ? words.noName : <bdi translate="no">{account.displayName}</bdi>}
      note={words.nameAbout}
      label={words.change}
      fullLabel={words.changeName}
    >
      {(close) => <NameForm onClose={close} />}
    </Setting>
  )
}

function NameForm({ onClose }: { onClose: (done?: string) => void }) {
  const words = useWords('profile')
  const { account } = useAccountContext()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form)

  function onDone() {
    // Closes the form and refreshes in one update: otherwise the page would show the old name in between.
    startTransition(() => {
      router.refresh()
      onClose(words.nameChanged)
    })
    return undefined
  }
  const submit = submitWhenFilled(action, (data) => {
    action.run('name', () => changeDisplayName(textOf(data, 'displayName')), onDone)
  })
  return (
    <Form action={action} ref={form} onSubmit={submit} className="max-w-sm">
      <ActionMessages action={action} />
      <div className="space-y-4">
        <Field
          name="displayName"
          label={words.name}
          hint={words.nameHint}
          autoComplete="name"
          dir="auto"
          defaultValue={account.displayName ?? ''}
          error={action.failure?.fields.displayName}
          autoFocus
        />
        <FormButtons pending={action.pending !== null} onCancel={() => onClose()} />
      </div>
    </Form>
  )
}
