'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useEffect, useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages, useAccountAction } from '@/components/account/action'
import { FormButtons, RemovalDialog, Setting } from '@/components/account/setting'
import { Button } from '@/components/ui/button'
import { Row } from '@/components/ui/card'
import { useAnnounce } from '@/components/ui/feedback/announcements'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { Field, Form, submitWhenFilled, textOf } from '@/components/ui/forms/form'
import { Filled } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { removeEmail, requestEmail, verifyEmail } from '@/lib/browser/account'

/** Shows the e-mail address, and lets its owner prove another one or remove it. */
export function EmailSetting() {
  const words = useWords('profile')
  const { account, site } = useAccountContext()
  const { email } = account
  const value = email === null ? words.noEmail : <bdi translate="no">{email}</bdi>
  // Without letters nobody can prove one, and one that an operator has set can go.
  if (!site.mail)
    return (
      email !== null && (
        <div className="py-3">
          <Row controls={<RemoveEmail isBeside onRemoved={() => undefined} />}>
            <h3 className="text-small text-muted">{words.email}</h3>
            <p className="font-medium">{value}</p>
          </Row>
        </div>
      )
    )
  return (
    <Setting
      id="email"
      name={words.email}
      value={value}
      note={words.emailAbout}
      label={email === null ? words.addEmail : words.change}
      fullLabel={email === null ? words.addEmail : words.changeEmail}
    >
      {(close) => (
        <>
          <EmailForm onClose={close} />
          {email !== null && (
            <div className="outdent mt-3 border-t border-line pt-2">
              <RemoveEmail onRemoved={close} />
            </div>
          )}
        </>
      )}
    </Setting>
  )
}

interface Closing {
  /** Of the button that goes on; `primary` unless the page has another one to press first */
  look?: 'primary' | 'secondary' | undefined
  onClose: (done?: string) => void
}

/** Asks for the address, then for the code that has gone there. */
function EmailForm(closing: Closing) {
  const [sentTo, setSentTo] = useState<string | null>(null)
  return sentTo === null ? (
    <AddressForm {...closing} onSent={setSentTo} />
  ) : (
    <CodeForm {...closing} email={sentTo} onBack={() => setSentTo(null)} />
  )
}

function AddressForm({ onSent, look, onClose }: Closing & { onSent: (email: string) => void }) {
  const words = useWords('profile')
  const { account } = useAccountContext()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form)
  const pending = action.pending !== null
  const submit = submitWhenFilled(action, (data) => {
    const email = textOf(data, 'email').trim()
    action.run(
      'email',
      () => requestEmail(email),
      () => onSent(email),
    )
  })
  return (
    <Form action={action} ref={form} onSubmit={submit} className="max-w-sm">
      <ActionMessages action={action} />
      <div className="space-y-4">
        <Field
          name="email"
          type="email"
          label={account.email === null ? words.email : words.newEmail}
          missing={words.enterEmail}
          hint={words.emailHint}
          autoComplete="email"
          inputMode="email"
          dir="ltr"
          error={action.failure?.fields.email}
          autoFocus
        />
        <FormButtons label={words.sendCode} look={look} pending={pending} onCancel={() => onClose()} />
      </div>
    </Form>
  )
}

/** A letter may take this long, and each further one counts against a limit. */
const resendMilliseconds = 60_000

function CodeForm({ email, look, onClose, onBack }: Closing & { email: string; onBack: () => void }) {
  const words = useWords('profile')
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form)
  const [sent, setSent] = useState(1)
  const [maySend, setMaySend] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins anew with each letter.
  useEffect(() => {
    setMaySend(false)
    const timer = setTimeout(() => setMaySend(true), resendMilliseconds)
    return () => clearTimeout(timer)
  }, [sent])
  const submit = submitWhenFilled(action, (data) => {
    const onDone = () => {
      startTransition(() => {
        router.refresh()
        onClose(words.emailConfirmed)
      })
    }
    action.run('code', () => verifyEmail(textOf(data, 'code')), onDone)
  })
  function sendAnother() {
    const onDone = () => {
      setSent((times) => times + 1)
      return words.anotherSent
    }
    action.run('another', () => requestEmail(email), onDone)
  }
  return (
    <Form action={action} ref={form} onSubmit={submit} className="max-w-sm">
      <p className="mb-4 max-w-prose text-muted">
        <Filled message={words.codeSent} values={{ email: <bdi className="text-ink">{email}</bdi> }} />
      </p>
      <ActionMessages action={action} />
      <div className="space-y-4">
        <Field
          name="code"
          label={words.code}
          missing={words.enterCode}
          autoComplete="one-time-code"
          inputMode="numeric"
          maxLength={32}
          dir="ltr"
          error={action.failure?.fields.code}
          autoFocus
        />
        <div className="grid gap-2">
          <Button type="submit" look={look} pending={action.pending === 'code'} disabled={action.busy}>
            {words.confirmCode}
          </Button>
          <Button
            look="quiet"
            pending={action.pending === 'another'}
            disabled={!maySend || action.busy}
            onClick={sendAnother}
          >
            {maySend ? words.anotherCode : words.anotherCodeIn}
          </Button>
          <Button look="quiet" disabled={action.busy} onClick={onBack}>
            {words.anotherAddress}
          </Button>
        </div>
      </div>
    </Form>
  )
}

interface Removal {
  /** True where the address stands beside it */
  isBeside?: boolean
  onRemoved: (done: string) => void
}

function RemoveEmail({ isBeside = false, onRemoved }: Removal) {
  const account = useWords('account')
  const words = useWords('profile')
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        look={isBeside ? 'plain' : 'quiet-danger'}
        aria-label={isBeside ? words.removeEmail : undefined}
        onClick={() => setOpen(true)}
      >
        {isBeside ? account.remove : words.removeEmail}
      </Button>
      {isOpen && (
        <RemovalDialog
          title={words.removeEmailQuestion}
          text={words.removeEmailText}
          confirm={words.removeEmail}
          remove={removeEmail}
          onRemoved={() => onRemoved(words.emailRemoved)}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}

/** Suggests an address to a new account. */
export function SuggestEmail() {
  const words = useWords('welcome')
  const { account, site } = useAccountContext()
  const { focusAfterUpdate } = usePageFeedback()
  const announce = useAnnounce()
  const scope = useRef<HTMLElement>(null)
  const [isOpen, setOpen] = useState(false)
  const isSuggested = site.mail && account.email === null
  function close(done?: string) {
    setOpen(false)
    // Sighted people see the address among what the account has by then.
    if (done) announce(done)
    focusAfterUpdate(() => scope.current)
  }
  // Stays once the address is there, to keep the focus.
  return (
    <section
      ref={scope}
      tabIndex={-1}
      aria-labelledby={isSuggested ? 'add-email' : undefined}
      className={`outline-none ${isSuggested ? 'mt-5 border-t border-line pt-5' : ''}`}
    >
      {isSuggested && (
        <>
          <h2 id="add-email" className="font-semibold">
            {words.addEmail}
          </h2>
          <p className="mt-1 mb-3 text-muted">{words.addEmailText}</p>
          {isOpen ? (
            // Recovery codes come first.
            <EmailForm look="secondary" onClose={close} />
          ) : (
            <Button look="secondary" className="w-full" onClick={() => setOpen(true)}>
              {words.addEmail}
            </Button>
          )}
        </>
      )}
    </section>
  )
}
