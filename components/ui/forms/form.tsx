import type { ComponentProps, FormEvent } from 'react'
import type { Action } from '@/components/ui/feedback/use-action'
import { type FailureCode, isFailure } from '@/lib/browser/failures/outcomes'

interface FormProps extends Omit<ComponentProps<'form'>, 'action' | 'method' | 'noValidate' | 'onInput' | 'onKeyDown'> {
  /** The action that the form runs, whose failure its fields show */
  action: Pick<Action, 'dropFieldError'>
}

/**
 * A form that its script sends if no required field is empty. `method=post` keeps the fields out of the URL if the browser
 * sends the form before the script has loaded. A field shows its error until its value changes.
 */
export const Form = ({ action, ...props }: FormProps) => (
  <form
    {...props}
    method="post"
    noValidate
    // Ignores a key that somebody holds, which would send the form again and again, and use up the attempts.
    onKeyDown={(event) => event.key === 'Enter' && event.repeat && event.preventDefault()}
    onInput={({ target }) => action.dropFieldError((target as HTMLInputElement).name)}
  />
)

/** A field's text as typed; empty when the form has no such field. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

/** Sends the form. Returns the outcome where there is a `wrongSecret`. */
type Send = (data: FormData) => ReturnType<Action['run']> | undefined

/**
 * Handles a form's submit event: sends it if no required field is empty, and leaves all other checks to the server.
 *
 * @param wrongSecret the failure that selects the form's secret, which the person then types again
 */
export function submitWhenFilled(
  { setFieldErrors }: Pick<Action, 'setFieldErrors'>,
  send: Send,
  wrongSecret?: FailureCode,
) {
  return async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const empty = [...form.querySelectorAll<HTMLInputElement>('[data-missing]')].filter(isEmpty)
    if (empty.length === 0) {
      const before = document.activeElement
      const ended = await send(new FormData(form))
      const isWrong = wrongSecret && ended && isFailure(ended, wrongSecret)
      // Leaves the focus if the person is correcting another field meanwhile.
      if (isWrong && document.activeElement === before) selectSecret(form)
      return
    }
    setFieldErrors(Object.fromEntries(empty.map(({ name, dataset }) => [name, dataset.missing ?? ''])))
  }
}

function selectSecret(form: HTMLFormElement) {
  const secret = form.querySelector<HTMLInputElement>('[data-secret]')
  secret?.focus()
  secret?.select()
}

/** Spaces alone are a password, but no username. */
function isEmpty({ value, autocomplete }: HTMLInputElement): boolean {
  return (autocomplete.includes('password') ? value : value.trim()) === ''
}
