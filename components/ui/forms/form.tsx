import { type ComponentProps, type FormEvent, type InputHTMLAttributes, type ReactNode, useId } from 'react'
import type { Action } from '@/components/ui/feedback/page-feedback'
import { AlertIcon } from '@/components/ui/icons/form-icons'
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

/** The values of the checked boxes that have this name. */
export const textsOf = (data: FormData, name: string): string[] =>
  data.getAll(name).filter((value) => typeof value === 'string')

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

export interface Labelled {
  /** The server's name for the value. */
  name: string
  label: string
  /** Makes the field required; the message of an empty one */
  missing?: string | undefined
  /** The error of the value, which replaces the hint */
  error?: string | undefined
  hint?: string | undefined
}

export interface FieldProps extends Labelled, Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'name' | 'required'> {
  trailing?: ReactNode
}

/** An input with its label and one sentence below, the hint or the error, which screen readers read on focus. */
export function Field({ label, missing, error, hint, trailing, ...input }: FieldProps) {
  return (
    <Frame label={label} missing={missing} error={error} hint={hint}>
      {(ours) => (
        <div className="field">
          <input {...input} {...ours} />
          {trailing}
        </div>
      )}
    </Frame>
  )
}

interface FrameProps extends Pick<Labelled, 'label' | 'error' | 'hint'> {
  missing?: string | undefined
  /** Renders the control, which takes these */
  children: (ours: {
    id: string
    required: boolean
    'data-missing': string | undefined
    'aria-invalid': true | undefined
    'aria-describedby': string | undefined
  }) => ReactNode
}

/** The label of a control, and the sentence below it. */
export function Frame({ label, missing, error, hint, children }: FrameProps) {
  const id = useId()
  const sentence = error ?? hint
  const sentenceId = `${id}-sentence`
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-small font-medium">
        {label}
      </label>
      {children({
        id,
        required: missing !== undefined,
        'data-missing': missing,
        'aria-invalid': error ? true : undefined,
        'aria-describedby': sentence ? sentenceId : undefined,
      })}
      {sentence && (
        <p id={sentenceId} className={`mt-1.5 flex gap-1.5 text-small ${error ? 'text-danger' : 'text-muted'}`}>
          {/* An adopter's accent may be as red as an error. */}
          {error && <AlertIcon />}
          <span className="min-w-0 break-words">{sentence}</span>
        </p>
      )}
    </div>
  )
}
