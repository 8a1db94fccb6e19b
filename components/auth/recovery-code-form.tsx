'use client'

import { useRef } from 'react'
import { RecoveryCodeField, UsernameField } from '@/components/auth/fields'
import { type SignInProps, showClosePage } from '@/components/auth/sign-in-form'
import { Button } from '@/components/ui/button'
import { Messages, useAction } from '@/components/ui/feedback/page-feedback'
import { Form, submitWhenFilled, textOf } from '@/components/ui/forms/form'
import { navigate } from '@/components/ui/navigation'
import { useWords } from '@/components/ui/words/words'
import type { Site } from '@/lib/api/site'
import { signInWithRecoveryCode } from '@/lib/browser/sign-in/sign-in'

interface Props {
  site: Pick<Site, 'passwords' | 'recovery' | 'supportUrl'>
  /** The first text of the field */
  username: string
  /** The profile, where the person can set up a new passkey or password, unless an OpenID Connect request waits */
  next: string
  closePage: SignInProps['closePage']
  onBack: () => void
}

/** Signs in with a recovery code. */
export default function RecoveryCodeForm({
  site: { passwords, recovery, supportUrl },
  username,
  next,
  closePage,
  onBack,
}: Props) {
  const forms = useWords('forms')
  const words = useWords('signIn')
  const { contactSupport } = useWords('failures')
  const form = useRef<HTMLFormElement>(null)
  const action = useAction(form)
  const { failure } = action
  const busy = action.pending !== null

  const send = (data: FormData) =>
    action.run(
      'recovery',
      () => signInWithRecoveryCode(textOf(data, 'username'), textOf(data, 'code')),
      () => navigate(next, showClosePage(closePage, action)),
    )
  const submit = submitWhenFilled(action, send, 'authentication_failed')

  return (
    <>
      {/* As far below the title as a lead. */}
      <p className="-mt-3.5 mb-5 text-center text-balance text-muted">
        {passwords ? words.lostEither : words.lostPasskey}
      </p>
      <Messages live place={action.place} />
      <Form action={action} ref={form} onSubmit={submit} className="space-y-4">
        <UsernameField defaultValue={username} autoFocus={username === ''} error={failure?.fields.username} />
        <RecoveryCodeField hint={words.codeHint} autoFocus={username !== ''} error={failure?.fields.code} />
        <Button type="submit" className="mt-1 w-full" pending={busy}>
          {forms.signIn}
        </Button>
      </Form>
      <Button look="quiet" className="mt-2 w-full" disabled={busy} onClick={onBack}>
        {passwords ? words.anotherWay : forms.usePasskeyInstead}
      </Button>
      <p className="mt-4 border-t border-line pt-4 text-center text-small text-muted">
        {words.noCodes}{' '}
        {recovery !== null ? (
          <a href="/recover" className="font-medium text-accent underline">
            {words.byMail}
          </a>
        ) : supportUrl === null ? (
          words.askAdministrator
        ) : (
          <a href={supportUrl} className="font-medium text-accent underline">
            {contactSupport}
          </a>
        )}
      </p>
    </>
  )
}
