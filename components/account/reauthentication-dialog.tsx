'use client'

import { type RefObject, useRef, useState } from 'react'
import { KnownUsername, PasswordField, RecoveryCodeField } from '@/components/auth/fields'
import { PasskeyButton, usePasskeySupport } from '@/components/auth/passkey-button'
import { Button } from '@/components/ui/button'
import { Divider } from '@/components/ui/card'
import { Dialog } from '@/components/ui/dialog'
import { Callout } from '@/components/ui/feedback/callout'
import { type Action, Messages, useAction, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { Form, submitWhenFilled, textOf } from '@/components/ui/forms/form'
import { useWords } from '@/components/ui/words/words'
import type { Account } from '@/lib/api/schemas'
import type { Site } from '@/lib/api/site'
import { isFailure, promptEndOf } from '@/lib/browser/failures/outcomes'
import { cancelPrompt } from '@/lib/browser/passkeys/prompt'
import {
  reauthenticateWithPasskey,
  reauthenticateWithPassword,
  reauthenticateWithRecoveryCode,
} from '@/lib/browser/sign-in/reauthentication'

/** Proof that the person has just signed in again, with the password if they used it. */
export interface Reauthentication {
  password?: string
}

interface Props {
  account: Account
  site: Site
  byPasskeyOnly: boolean
  /** Runs once; with null if the person cancels */
  onAnswer: (reauthentication: Reauthentication | null) => void
}

export function ReauthenticationDialog({ account, site, byPasskeyOnly, onAnswer }: Props) {
  const words = useWords('account')
  const scope = useRef<HTMLDivElement>(null)
  const { action, unsupportedReason, methods, primary, isFormFirst, switchForm, usePasskey } = useReauthentication(
    scope,
    { account, site, byPasskeyOnly, onAnswer },
  )
  const { canPasskey, byCode, hasForm } = methods
  const { busy } = action
  function cancel() {
    action.dropFailure()
    cancelPrompt()
    onAnswer(null)
  }
  const form = hasForm && (
    <ReauthenticationForm
      username={account.username}
      byCode={byCode}
      isPrimary={primary === 'form'}
      action={action}
      onAnswer={onAnswer}
    />
  )
  return (
    <Dialog title={words.confirm} busy={busy} onClose={cancel}>
      <p className="mt-1 mb-5 text-muted">{words.confirmText}</p>
      <div ref={scope}>
        <Messages live place={action.place} />
        {account.passkeys.length > 0 && unsupportedReason && <Callout className="mb-5">{unsupportedReason}</Callout>}
        {isFormFirst && form}
        {canPasskey && (
          <PasskeyButton
            className={`w-full ${isFormFirst ? 'mt-2.5' : ''}`}
            look={primary === 'passkey' ? 'primary' : 'secondary'}
            pending={action.pending === 'passkey'}
            disabled={busy}
            onClick={usePasskey}
          >
            {words.usePasskey}
          </PasskeyButton>
        )}
        {!isFormFirst && canPasskey && hasForm && <Divider>{byCode ? words.orRecoveryCode : words.orPassword}</Divider>}
        {!isFormFirst && form}
      </div>
      <Footer methods={methods} busy={busy} onSwitch={switchForm} onCancel={cancel} />
    </Dialog>
  )
}

/** The dialog's behaviour: its methods, the primary one among them, and the action of each. */
function useReauthentication(scope: RefObject<HTMLElement | null>, { account, site, byPasskeyOnly, onAnswer }: Props) {
  const action = useAction(scope, { inDialog: true })
  const { focusAfterUpdate } = usePageFeedback()
  const unsupportedReason = usePasskeySupport(site)
  const [choseCode, setChoseCode] = useState(false)
  const [isUnverified, setUnverified] = useState(false)
  const other = byPasskeyOnly ? { hasPassword: false, recoveryCodesLeft: 0 } : account
  const methods = methodsOf({ ...account, ...other }, !unsupportedReason, choseCode)

  const hasPasskeyFailed = isUnverified || action.cancelled === 'no_prompt'
  // Who signed in with the password knows it, and the account's only passkey may be a stranger's.
  const isFormFirst = other.hasPassword && account.session.methods.every((method) => method === 'pwd')

  async function askPasskey() {
    const outcome = await reauthenticateWithPasskey()
    if (isFailure(outcome, 'user_not_verified')) {
      setUnverified(true)
      setChoseCode((chose) => chose || !other.hasPassword)
    }
    return outcome
  }
  return {
    action,
    unsupportedReason,
    methods,
    primary: methods.canPasskey && !((hasPasskeyFailed || isFormFirst) && methods.hasForm) ? 'passkey' : 'form',
    isFormFirst,
    switchForm: () => {
      action.dropFailure()
      cancelPrompt()
      setChoseCode(!choseCode)
    },
    usePasskey: async () => {
      const outcome = await action.run('passkey', askPasskey, () => void onAnswer({}))
      // The form's button is the main one now.
      if (outcome !== null && (promptEndOf(outcome) === 'no_prompt' || isFailure(outcome, 'user_not_verified')))
        focusAfterUpdate(() => scope.current?.querySelector<HTMLElement>('form input:not([hidden])'))
    },
  }
}

interface FormProps {
  username: string
  byCode: boolean
  /** True if its button is the primary one of the dialog */
  isPrimary: boolean
  action: Action
  onAnswer: (reauthentication: Reauthentication) => void
}

function ReauthenticationForm({ username, byCode, isPrimary, action, onAnswer }: FormProps) {
  const forms = useWords('forms')
  const words = useWords('account')
  const { busy } = action
  const fields = action.failure?.fields

  function send(data: FormData) {
    const password = textOf(data, 'password')
    return action.run(
      'form',
      () => (byCode ? reauthenticateWithRecoveryCode(textOf(data, 'code')) : reauthenticateWithPassword(password)),
      () => void onAnswer(byCode ? {} : { password }),
    )
  }
  const submit = submitWhenFilled(action, send, 'authentication_failed')

  return (
    <Form action={action} onSubmit={submit} className="space-y-4">
      <KnownUsername username={username} />
      {byCode ? (
        <RecoveryCodeField hint={words.codeWorksOnce} error={fields?.code} />
      ) : (
        <PasswordField
          missing={forms.enterPassword}
          autoComplete="current-password"
          pending={busy}
          error={fields?.password}
        />
      )}
      <Button
        type="submit"
        look={isPrimary ? 'primary' : 'secondary'}
        className="w-full"
        pending={action.pending === 'form'}
        disabled={busy}
      >
        {words.continue}
      </Button>
    </Form>
  )
}

interface FooterProps {
  methods: ReturnType<typeof methodsOf>
  busy: boolean
  onSwitch: () => void
  onCancel: () => void
}

function Footer({ methods: { hasCodes, byCode, otherMethod }, busy, onSwitch, onCancel }: FooterProps) {
  const forms = useWords('forms')
  const words = useWords('account')
  const labels = { password: words.usePasswordInstead, passkey: forms.usePasskeyInstead }
  return (
    <div className="mt-2 -mb-3 flex flex-col-reverse sm:-mx-4.25 sm:flex-row sm:justify-between">
      {/* Disabled while busy: the code may be used up by then, and `notConfirmed` says that nothing has changed. */}
      <Button look="plain" disabled={busy} onClick={onCancel}>
        {forms.cancel}
      </Button>
      {hasCodes && otherMethod && (
        <Button look="quiet" disabled={busy} onClick={onSwitch}>
          {byCode ? labels[otherMethod] : forms.useRecoveryCode}
        </Button>
      )}
    </div>
  )
}

/** The methods to reauthenticate, and which of them the dialog's form takes. */
function methodsOf({ passkeys, hasPassword, recoveryCodesLeft }: Account, isSupported: boolean, choseCode: boolean) {
  const canPasskey = passkeys.length > 0 && isSupported
  const hasCodes = recoveryCodesLeft > 0
  const passkeyInstead = canPasskey ? ('passkey' as const) : null
  const otherMethod = hasPassword ? ('password' as const) : passkeyInstead
  const byCode = hasCodes && (choseCode || otherMethod === null)
  return { canPasskey, hasCodes, byCode, hasForm: byCode || hasPassword, otherMethod }
}
