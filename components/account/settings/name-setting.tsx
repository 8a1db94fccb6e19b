'use client'

import { useAccountContext } from '@/components/account/account-provider'
import { NameForm } from '@/components/account/forms/name-form'
import { Setting } from '@/components/account/forms/setting'
import { Field } from '@/components/ui/forms/field'
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
