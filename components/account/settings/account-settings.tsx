'use client'

import { useRef, useState } from 'react'
import { Username } from '@/components/account/account-chip'
import { useAccountContext } from '@/components/account/account-provider'
import { ConfirmDialog, useAccountAction } from '@/components/account/action'
import { NameForm, Setting } from '@/components/account/setting'
import { UsernameField } from '@/components/auth/fields'
import { Button } from '@/components/ui/button'
import { Field } from '@/components/ui/forms/form'
import { BinIcon } from '@/components/ui/icons/icons'
import { navigate } from '@/components/ui/navigation'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { changeDisplayName, changeUsername, deleteAccount } from '@/lib/browser/account'

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
      {(close) => (
        <NameForm
          field="username"
          change={changeUsername}
          onChanged={() => close(words.usernameChanged)}
          onCancel={() => close()}
        >
          {(error) => (
            <UsernameField
              label={words.newUsername}
              missing={words.enterNewUsername}
              hint={words.newUsernameHint}
              defaultValue={account.username}
              error={error}
            />
          )}
        </NameForm>
      )}
    </Setting>
  )
}

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
      {(close) => (
        <NameForm
          field="displayName"
          change={changeDisplayName}
          onChanged={() => close(words.nameChanged)}
          onCancel={() => close()}
        >
          {(error) => (
            <Field
              name="displayName"
              label={words.name}
              hint={words.nameHint}
              autoComplete="name"
              dir="auto"
              defaultValue={account.displayName ?? ''}
              error={error}
              autoFocus
            />
          )}
        </NameForm>
      )}
    </Setting>
  )
}

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
  const { username } = account
  const confirm = () =>
    action.run(
      'delete',
      () => deleteAccount(account),
      () => navigate('/'),
    )
  return (
    <ConfirmDialog
      title={words.deleteQuestion}
      text={words.deleteWarning}
      form={form}
      action={action}
      confirm={words.deleteAccount}
      typed={{ text: username, label: words.yourUsername, instruction: fill(words.typeToConfirm, { username }) }}
      onConfirm={confirm}
      onClose={onClose}
    />
  )
}
