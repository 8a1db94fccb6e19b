'use client'

import { useRouter } from 'next/navigation'
import type { ComponentProps, FormEvent, ReactNode, RefObject } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import type { Reauthentication } from '@/components/account/reauthentication-dialog'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import {
  type Action,
  type ActionOptions,
  Messages,
  type OnDone,
  type StatusMessage,
  useAction,
  usePageFeedback,
} from '@/components/ui/feedback/page-feedback'
import { Field, Form, textOf } from '@/components/ui/forms/form'
import { useWords } from '@/components/ui/words/words'
import { isFailure, type Outcome } from '@/lib/browser/failures/outcomes'
import { requestStepUp } from '@/lib/browser/requests/step-up'
import { sessionEnd, unlessSessionEnded } from '@/lib/browser/sign-in/session-end'

type AccountOperation = (reauthentication: Reauthentication) => Promise<Outcome>

export interface AccountAction extends Action {
  /** Runs an operation; if it requires reauthentication, asks the other tabs and then the person, and runs it again. */
  run(name: string, operation: AccountOperation, onDone: OnDone): ReturnType<Action['run']>
}

export function useAccountAction(scope: RefObject<HTMLElement | null>, options?: ActionOptions): AccountAction {
  const { notConfirmed } = useWords('account')
  const { reauthenticate } = useAccountContext()
  const base = useAction(scope, options)

  async function withReauthentication(operation: AccountOperation): Promise<Outcome | StatusMessage> {
    const attempt = async (given: Reauthentication = {}) => unlessSessionEnded(await operation(given))
    let outcome = await attempt()
    if (requiresReauthentication(outcome) && (await requestStepUp())) outcome = await attempt()
    if (!requiresReauthentication(outcome)) return outcome
    const reauthentication = await reauthenticate()
    if (reauthentication) return attempt(reauthentication)
    return sessionEnd() ? { cancelled: 'cancelled' } : { tone: 'info', text: notConfirmed }
  }
  return { ...base, run: (name, operation, onDone) => base.run(name, () => withReauthentication(operation), onDone) }
}

const requiresReauthentication = (outcome: Outcome) => isFailure(outcome, 'reauthentication_required')

/** Shows the changes. The pressed button may go away with them, so `stays` gets the focus. */
export function useRefresh(stays: RefObject<HTMLElement | null>): () => void {
  const { focusAfterUpdate } = usePageFeedback()
  const router = useRouter()
  return () => {
    router.refresh()
    focusAfterUpdate(() => stays.current)
  }
}

export const ActionMessages = ({ action: { place, inDialog } }: { action: Action }) => (
  <Messages place={place} live={inDialog} />
)

interface ActionButtonProps extends ComponentProps<typeof Button> {
  action: Action
  /** The name of the action that the button starts */
  name: string
}

/** Shows that its action runs; while another does, it takes no press. */
export const ActionButton = ({ action, name, ...button }: ActionButtonProps) => (
  <Button {...button} pending={action.pending === name} disabled={action.pending !== null} />
)

/** What has to be typed before the button does anything */
export interface Typed {
  text: string
  label: string
  instruction: string
}

interface ConfirmDialogProps {
  title: string
  text: string
  /** The scope of `action`. */
  form: RefObject<HTMLFormElement | null>
  action: Action
  /** The labels of the buttons: `cancel` unless it is "Cancel"; `confirm` is null if nothing is left to do */
  cancel?: string | undefined
  confirm: string | null
  typed?: Typed | undefined
  onConfirm: () => void
  onClose: () => void
  children?: ReactNode
}

/** Asks before a destructive action. @param children further text */
export function ConfirmDialog({
  title,
  text,
  form,
  action,
  cancel,
  confirm,
  typed,
  onConfirm,
  onClose,
  children,
}: ConfirmDialogProps) {
  const forms = useWords('forms')
  const pending = action.pending !== null
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (typed && textOf(new FormData(event.currentTarget), 'typed').trim() !== typed.text)
      return action.setFieldErrors({ typed: typed.instruction })
    onConfirm()
  }
  return (
    <Dialog title={title} busy={pending} onClose={onClose}>
      <p className="mt-1 mb-5 text-muted">{text}</p>
      <Form action={action} ref={form} onSubmit={submit}>
        <ActionMessages action={action} />
        {children}
        {typed && (
          <Field
            name="typed"
            label={typed.label}
            hint={typed.instruction}
            missing={typed.instruction}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            error={action.failure?.fields.typed}
          />
        )}
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
