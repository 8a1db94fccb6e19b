import type { InputHTMLAttributes, ReactNode } from 'react'

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  name: string
  label: string
  /** What is wrong with the present value; it takes the place of the hint. */
  error?: string | undefined
  hint?: string
  /** A control that sits at the end of the field, inside its frame. */
  trailing?: ReactNode
}

/** A labelled input. The sentence below it is tied to it, so a screen reader says it on focus; `name` is also its id. */
export function Field({ name, label, error, hint, trailing, ...input }: FieldProps) {
  const sentence = error ?? hint
  const sentenceId = `${name}-sentence`
  return (
    <div>
      <label htmlFor={name} className="mb-1.5 block text-small font-medium">
        {label}
      </label>
      <div className={`${frame} ${error ? 'border-danger' : 'border-edge'}`}>
        <input
          {...input}
          id={name}
          name={name}
          aria-invalid={error ? true : undefined}
          aria-describedby={sentence ? sentenceId : undefined}
          className="min-h-11 w-full min-w-0 rounded-control bg-transparent px-3 text-body outline-none placeholder:text-muted"
        />
        {trailing}
      </div>
      {sentence && (
        <p id={sentenceId} className={`mt-1.5 text-small break-words ${error ? 'text-danger' : 'text-muted'}`}>
          {sentence}
        </p>
      )}
    </div>
  )
}

/* The ring is drawn around the frame and not the input, so that it also goes round a trailing control. */
const frame =
  'flex items-center rounded-control border bg-surface has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-1 has-[input:focus-visible]:outline-accent'
