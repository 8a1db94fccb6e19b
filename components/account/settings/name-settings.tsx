'use client'

import { Username } from '@/components/account/account-chip'
import { useAccountContext } from '@/components/account/account-provider'
import { NameForm, Setting } from '@/components/account/setting'
import { UsernameField } from '@/components/auth/fields'
import { Field } from '@/components/ui/forms/form'
import { useWords } from '@/components/ui/words/words'
import { changeDisplayName, changeUsername } from '@/lib/browser/account'

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
