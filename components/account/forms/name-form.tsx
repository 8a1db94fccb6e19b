'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, startTransition, useRef } from 'react'
import { Form } from '@/components/ui/forms/form'
import { submitWhenFilled, textOf } from '@/components/ui/forms/form-submission'
import type { Outcome } from '@/lib/browser/failures/outcomes'
import { ActionMessages } from './action-messages'
import { FormButtons } from './form-buttons'
import { useAccountAction } from './use-account-action'

interface Props {
  /** Of the field that `children` renders */
  field: string
  change: (text: string) => Promise<Outcome>
  /** Closes the form */
  onChanged: () => void
  onCancel: () => void
  className?: string
  /** Renders the field; gets what is wrong with it */
  children: (error: string | undefined) => ReactNode
}

/** A form of one field, by which a person renames something on the page. */
export function NameForm({ field, change, onChanged, onCancel, className = 'max-w-sm', children }: Props) {
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form)

  function onDone() {
    // Closes the form and refreshes in one update: otherwise the page would show the old name in between.
    startTransition(() => {
      router.refresh()
      onChanged()
    })
    return undefined
  }
  const submit = submitWhenFilled(action, (data) => {
    action.run(field, () => change(textOf(data, field)), onDone)
  })
  return (
    <Form action={action} ref={form} onSubmit={submit} className={className}>
      <ActionMessages action={action} />
      <div className="space-y-4">
        {children(action.failure?.fields[field])}
        <FormButtons pending={action.pending !== null} onCancel={onCancel} />
      </div>
    </Form>
  )
}
