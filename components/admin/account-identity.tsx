'use client'

import { useState } from 'react'
import { Username } from '@/components/account/account-chip'
import { NameForm, Setting } from '@/components/account/setting'
import { Card, Rows } from '@/components/ui/card'
import { Field } from '@/components/ui/forms/form'
import { useWords } from '@/components/ui/words/words'
import type { ShownAccount } from '@/lib/api/schemas'
import { changeField, type OperatorsField } from '@/lib/browser/admin'

/** What the account is called. */
export function Identity({ shown }: { shown: ShownAccount }) {
  const forms = useWords('forms')
  const words = useWords('adminAccounts')
  const { username, displayName, email } = shown
  return (
    <Card title={words.identity} titleId="identity">
      <Rows>
        <FieldSetting
          shown={shown}
          field="username"
          name={forms.username}
          value={<Username name={username} />}
          button={words.changeUsername}
          hint={words.usernameHint}
          missing={forms.enterUsername}
          failed={words.renameFailed}
          done={words.renamed}
        />
        <FieldSetting
          shown={shown}
          field="displayName"
          name={words.displayName}
          value={displayName === null ? words.noDisplayName : <bdi translate="no">{displayName}</bdi>}
          button={words.changeDisplayName}
          hint={words.displayNameHint}
          failed={words.nameFailed}
          done={words.named}
        />
        <FieldSetting
          shown={shown}
          field="email"
          name={words.email}
          value={email === null ? words.noEmail : <Username name={email} />}
          button={words.changeEmail}
          hint={words.emailHint}
          failed={words.emailFailed}
          done={words.emailed}
        />
      </Rows>
    </Card>
  )
}

interface FieldSettingProps {
  shown: ShownAccount
  field: OperatorsField
  name: string
  value: React.ReactNode
  button: string
  hint: string
  missing?: string
  failed: string
  done: string
}

function FieldSetting({ shown, field, name, value, button, failed, done, ...input }: FieldSettingProps) {
  const { change } = useWords('adminAccounts')
  return (
    <Setting id={`${field}-setting`} name={name} value={value} label={change} fullLabel={button}>
      {(close) => (
        <FieldForm
          shown={shown}
          field={field}
          label={name}
          title={failed}
          {...input}
          onChanged={() => close(done)}
          onCancel={() => close()}
        />
      )}
    </Setting>
  )
}

interface FieldFormProps {
  shown: ShownAccount
  field: OperatorsField
  label: string
  hint: string
  missing?: string
  title: string
  onChanged: () => void
  onCancel: () => void
}

function FieldForm({ shown, field, title, onChanged, onCancel, ...input }: FieldFormProps) {
  // What the person saw: a second try starts from what another administrator has made of it.
  const [was, setWas] = useState(shown[field])
  return (
    <NameForm
      field={field}
      change={(text) => changeField({ id: shown.id, field, was, value: text.trim() || null, title }, setWas)}
      onChanged={onChanged}
      onCancel={onCancel}
    >
      {(error) => (
        <Field
          {...input}
          name={field}
          defaultValue={shown[field] ?? ''}
          error={error}
          dir={field === 'displayName' ? 'auto' : 'ltr'}
          inputMode={field === 'email' ? 'email' : undefined}
          autoComplete="off"
          autoCapitalize={field === 'displayName' ? 'words' : 'none'}
          spellCheck={false}
          autoFocus
        />
      )}
    </NameForm>
  )
}
