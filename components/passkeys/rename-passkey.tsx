'use client'

import { useRouter } from 'next/navigation'
import { type FocusEvent, startTransition, useRef } from 'react'
import { ActionMessages } from '@/components/account/forms/action-messages'
import { FormButtons } from '@/components/account/forms/form-buttons'
import { useAccountAction } from '@/components/account/forms/use-account-action'
import { passkeyListPlace } from '@/components/passkeys/passkey-list-place'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { Field } from '@/components/ui/forms/field'
import { Form } from '@/components/ui/forms/form'
import { submitWhenFilled, textOf } from '@/components/ui/forms/form-submission'
import { useWords } from '@/components/ui/words/words'
import { limits } from '@/lib/api/limits'
import type { Passkey } from '@/lib/api/schemas'
import { renamePasskey } from '@/lib/browser/passkeys/manage'

/** So that typing replaces the name. */
const selectAll = ({ currentTarget }: FocusEvent<HTMLInputElement>) => currentTarget.select()

export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const words = useWords('passkeys')
  const { showDone } = usePageFeedback()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form)

  function onDone() {
    // One update: without its form, the page would show the old name until it has the new one.
    startTransition(() => {
      router.refresh()
      showDone(passkeyListPlace, words.renamed)
      onClose()
    })
    return undefined
  }
  const submit = submitWhenFilled(action, (data) => {
    action.run('rename', () => renamePasskey(passkey, textOf(data, 'name')), onDone)
  })
  return (
    <Form action={action} ref={form} onSubmit={submit} className="mb-4 max-w-sm">
      <ActionMessages action={action} />
      <div className="space-y-4">
        <Field
          name="name"
          label={words.name}
          missing={words.enterName}
          autoComplete="off"
          maxLength={limits.passkeyName}
          defaultValue={passkey.name}
          autoFocus
          onFocus={selectAll}
          error={action.failure?.fields.name}
        />
        <FormButtons pending={action.pending !== null} onCancel={onClose} />
      </div>
    </Form>
  )
}
