'use client'

import type { FormEvent, ReactNode, RefObject } from 'react'
import { ActionMessages } from '@/components/account/action'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import type { Action } from '@/components/ui/feedback/page-feedback'
import { Form } from '@/components/ui/forms/form'
import { useWords } from '@/components/ui/words/words'

interface Props {
  title: string
  text: string
  /** The scope of `action`. */
  form: RefObject<HTMLFormElement | null>
  action: Action
  /** The labels of the buttons: `cancel` unless it is "Cancel"; `confirm` is null if nothing is left to do */
  cancel?: string | undefined
  confirm: string | null
  onConfirm: (form: HTMLFormElement) => void
  onClose: () => void
  children?: ReactNode
}

/** Asks before a destructive action. @param children further text or fields */
export function ConfirmDialog({ title, text, form, action, cancel, confirm, onConfirm, onClose, children }: Props) {
  const forms = useWords('forms')
  const pending = action.pending !== null
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    onConfirm(event.currentTarget)
  }
  return (
    <Dialog title={title} busy={pending} onClose={onClose}>
      <p className="mt-1 mb-5 text-muted">{text}</p>
      <Form action={action} ref={form} onSubmit={submit}>
        <ActionMessages action={action} />
        {children}
        <DialogButtons>
          <Button look="secondary" disabled={pending} onClick={onClose}>
            {cancel ?? forms.cancel}
          </Button>
          {confirm !== null && (
            <Button type="submit" look="danger" pending={pending}>
              {confirm}
            </Button>
          )}
        </DialogButtons>
      </Form>
    </Dialog>
  )
}
