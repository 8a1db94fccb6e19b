import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { AlertIcon } from '@/components/ui/icons/form-icons'

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
