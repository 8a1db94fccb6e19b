'use client'

import { useRouter } from 'next/navigation'
import { useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages, useAccountAction } from '@/components/account/action'
import type { Reauthentication } from '@/components/account/reauthentication-dialog'
import { FormButtons, RemovalDialog, Setting } from '@/components/account/setting'
import { KnownUsername, PasswordField } from '@/components/auth/fields'
import { NewPasswordField } from '@/components/auth/new-password-field'
import { Button } from '@/components/ui/button'
import { Form, submitWhenFilled, textOf } from '@/components/ui/forms/form'
import { Day } from '@/components/ui/words/day'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import type { Unanswered } from '@/lib/activity/notices'
import { changePassword, removePassword } from '@/lib/browser/account'
import { isFailure } from '@/lib/browser/failures/outcomes'

const id = 'password'

/** Keeps all passkeys and codes, on a page that asks about them itself. */
const none: Unanswered = { passkeys: [], codes: false }

/** Sets, changes or removes the password. `/.well-known/change-password` leads to its `id`. */
export function PasswordSetting({ isNext, unanswered = none }: { isNext?: boolean; unanswered?: Unanswered }) {
  const forms = useWords('forms')
  const words = useWords('profile')
  const { hasPassword, passwordSetAt, passkeys } = useAccountContext().account
  const set =
    passwordSetAt === null ? (
      words.passwordSet
    ) : (
      <Filled message={words.passwordSetOn} values={{ date: <Day at={passwordSetAt} /> }} />
    )
  return (
    <Setting
      id={id}
      name={forms.password.label}
      value={hasPassword ? set : words.passwordNotSet}
      label={hasPassword ? words.change : words.setPassword}
      fullLabel={hasPassword ? words.changePassword : words.setPassword}
      isMain={isNext}
    >
      {(close) => (
        <>
          <PasswordForm unanswered={unanswered} onClose={close} />
          {/* A step changes it, and asks nothing else. */}
          {hasPassword && passkeys.length > 0 && isNext === undefined && <RemovePassword onRemoved={close} />}
        </>
      )}
    </Setting>
  )
}

function PasswordForm({ unanswered, onClose }: { unanswered: Unanswered; onClose: (done?: string) => void }) {
  const words = useWords('profile')
  const fill = useFill()
  const { account, site } = useAccountContext()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form)
  const pending = action.pending !== null
  const fields = action.failure?.fields
  const { hasPassword, session } = account
  // Keeps the field once the server has asked for the current password, since the page may show an older session.
  const [isCurrentRequired, setCurrentRequired] = useState(false)
  const asksCurrent = isCurrentRequired || (hasPassword && session.methods.every((method) => method === 'pwd'))

  const submit = submitWhenFilled(action, (data) => {
    async function change(reauthentication: Reauthentication) {
      const currentPassword = textOf(data, 'currentPassword') || reauthentication.password
      const ticked = data.getAll('keep')
      const keepPasskeys = account.passkeys
        .map((passkey) => passkey.id)
        .filter((passkey) => !unanswered.passkeys.includes(passkey) || ticked.includes(passkey))
      const kept = { keepPasskeys, keepRecoveryCodes: !unanswered.codes }
      const outcome = await changePassword(textOf(data, 'password'), kept, currentPassword)
      if (isFailure(outcome) && outcome.fields.currentPassword) setCurrentRequired(true)
      return outcome
    }
    action.run('password', change, () => {
      router.refresh()
      onClose(hasPassword ? words.passwordChangedDone : words.passwordSetDone)
    })
  })
  return (
    <Form action={action} ref={form} onSubmit={submit} className="max-w-sm">
      <ActionMessages action={action} />
      <KnownUsername username={account.username} />
      <div className="space-y-4">
        {asksCurrent && (
          <PasswordField
            name="currentPassword"
            words={words.currentPassword}
            missing={words.enterCurrentPassword}
            autoComplete="current-password"
            autoFocus
            pending={pending}
            error={fields?.currentPassword}
          />
        )}
        <NewPasswordField
          words={words.newPassword}
          missing={words.enterNewPassword}
          passwordMinLength={site.passwordMinLength}
          hint={fill(words.newPasswordHint, { min: site.passwordMinLength })}
          autoFocus={!asksCurrent}
          pending={pending}
          error={fields?.password}
        />
        {hasPassword && <AddedSince unanswered={unanswered} disabled={pending} />}
        <FormButtons pending={pending} onCancel={() => onClose()} />
      </div>
    </Form>
  )
}

/** Lists the passkeys and codes that go with the old password: a thief of it may have added them. */
function AddedSince({ unanswered, disabled }: { unanswered: Unanswered; disabled: boolean }) {
  const words = useWords('profile')
  const { passkeys, recoveryCodesLeft, recoveryCodesMadeAt } = useAccountContext().account
  const added = passkeys.filter((passkey) => unanswered.passkeys.includes(passkey.id))
  const losesCodes = unanswered.codes && recoveryCodesLeft > 0
  if (added.length === 0 && !losesCodes) return null
  return (
    <fieldset className="space-y-2 rounded-card border border-line p-4" disabled={disabled}>
      <legend className="px-1 text-small font-semibold">{words.addedSince}</legend>
      {added.length > 0 && <p className="text-small text-muted">{words.addedPasskeys}</p>}
      {added.map((passkey) => (
        <label key={passkey.id} className="flex min-h-9 cursor-pointer items-center gap-2.5 text-small">
          <input type="checkbox" name="keep" value={passkey.id} className="size-4.5 shrink-0" />
          <span className="min-w-0 break-words">
            <Filled
              message={words.keepPasskey}
              values={{ name: <bdi>{passkey.name}</bdi>, date: <Day at={passkey.createdAt} /> }}
            />
          </span>
        </label>
      ))}
      {losesCodes && (
        <p className="text-small text-muted">
          {recoveryCodesMadeAt === null ? (
            words.codesStop
          ) : (
            <Filled message={words.codesOfStop} values={{ date: <Day at={recoveryCodesMadeAt} /> }} />
          )}
        </p>
      )}
    </fieldset>
  )
}

/** A button that removes the password, after a confirmation. */
function RemovePassword({ onRemoved }: { onRemoved: (done: string) => void }) {
  const words = useWords('profile')
  const fill = useFill()
  const { passkeys } = useAccountContext().account
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="mt-3 border-t border-line pt-2">
      <Button look="quiet-danger" className="outdent" onClick={() => setOpen(true)}>
        {words.removePassword}
      </Button>
      {isOpen && (
        <RemovalDialog
          title={words.removePasswordQuestion}
          text={fill(words.removePasswordText, { count: passkeys.length })}
          confirm={words.removePassword}
          remove={removePassword}
          onRemoved={() => onRemoved(words.passwordRemoved)}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
