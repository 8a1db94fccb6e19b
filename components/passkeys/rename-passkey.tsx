'use client'

import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionOutcomes } from '@/components/account/action-outcomes'
import { FormButtons } from '@/components/account/setting'
import { useAccountAction } from '@/components/account/use-account-action'
import { Field } from '@/components/ui/field'
import { submitWhenFilled, textOf } from '@/components/ui/form-submission'
import { limits } from '@/lib/api/limits'
import type { Passkey } from '@/lib/api/schemas'
import { renamePasskey } from '@/lib/browser/passkeys/manage'

/** Calls a passkey something that its owner will know it by. */
export function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { account, tell } = useAccountPage()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form, () => {
    router.refresh()
    tell('The passkey was renamed.')
    onClose()
    return undefined
  })

  const submit = submitWhenFilled(action, (data) => {
    action.run('rename', () => renamePasskey(account, passkey, textOf(data, 'passkeyName')))
  })
  const fields = action.failure?.fields
  return (
    <form ref={form} method="post" noValidate onSubmit={submit} className="mb-4 max-w-sm">
      <ActionOutcomes action={action} />
      <div className="space-y-4">
        <Field
          name="passkeyName"
          label="Name of this passkey"
          autoComplete="off"
          maxLength={limits.passkeyName.max}
          defaultValue={passkey.name}
          autoFocus
          required
          error={fields?.passkeyName ?? fields?.name}
        />
        <FormButtons save="Save" pending={action.pending !== null} onCancel={onClose} />
      </div>
    </form>
  )
}
