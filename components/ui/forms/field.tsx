import { type InputHTMLAttributes, type ReactNode, useId } from 'react'
import { AlertIcon } from '@/components/ui/icons/form-icons'

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'required'> {
  /** The server's name for the value. */
  name: string
  label: string
  /** Makes the field required; shown when it is left empty. */
  missing?: string
  /** What is wrong with the value; replaces the hint. */
  error?: string | undefined
  hint?: string
  trailing?: ReactNode
}

/** An input with its label and one sentence below, the hint or the error, which screen readers read on focus. */
export function Field({ label, missing, error, hint, trailing, ...input }: FieldProps) {
  const id = useId()
  const sentence = error ?? hint
  const sentenceId = `${id}-sentence`
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-small font-medium">
        {label}
      </label>
      <div className={`${frame} ${error ? 'border-danger outline-danger' : 'border-edge outline-accent'}`}>
        <input
          {...input}
          id={id}
          required={missing !== undefined}
          data-missing={missing}
          aria-invalid={error ? true : undefined}
          aria-describedby={sentence ? sentenceId : undefined}
          className="min-h-11 w-full min-w-0 rounded-control bg-transparent px-3 text-body outline-none placeholder:text-muted"
        />
        {trailing}
      </div>
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

/* The focus ring lies on the frame's edge, so that it includes a trailing control and there is one line, not two. */
const frame =
  'flex items-center rounded-control border bg-surface has-[input:focus-visible]:outline-2 has-[input:focus-visible]:-outline-offset-1'
