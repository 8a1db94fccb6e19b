'use client'

import { useAccountContext } from '@/components/account/account-provider'
import { NameForm } from '@/components/account/forms/name-form'
import { Setting } from '@/components/account/forms/setting'
import { Username } from '@/components/account/username'
import { UsernameField } from '@/components/auth/username-field'
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
