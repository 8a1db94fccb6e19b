import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { Frame, type Labelled } from '@/components/ui/forms/form'
import { ChevronIcon } from '@/components/ui/icons/icons'

/* Controls that the operators' pages have beside `Field`: apart from it, so that sign-in pages do not load them. */

type TextAreaProps = Labelled & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id' | 'name' | 'required'>

/** A field for several lines. */
export function TextArea({ label, missing, error, hint, ...input }: TextAreaProps) {
  return (
    <Frame label={label} missing={missing} error={error} hint={hint}>
      {(ours) => (
        <div className="field">
          <textarea {...input} {...ours} />
        </div>
      )}
    </Frame>
  )
}

type SelectProps = Omit<Labelled, 'missing'> & Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'name' | 'required'>

/** A choice of one. @param children its options */
export function Select({ label, error, hint, ...input }: SelectProps) {
  return (
    <Frame label={label} error={error} hint={hint}>
      {({ 'data-missing': _, ...ours }) => (
        <div className="field">
          <select {...input} {...ours} />
        </div>
      )}
    </Frame>
  )
}

interface CheckProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'type'> {
  label: ReactNode
  hint?: ReactNode
}

/** A box to tick, as high as a finger is wide, with what it means below its label. */
export function Check({ label, hint, ...input }: CheckProps) {
  const id = useId()
  return (
    <div className="flex gap-3 py-2.5">
      <input
        {...input}
        id={id}
        type="checkbox"
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.75 size-4.5 shrink-0"
      />
      <div className="min-w-0 grow">
        <label htmlFor={id} className="-my-2.5 block py-2.5 break-words">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="text-small text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  )
}

/** Boxes that answer one question. @param error what is wrong with the answer */
export function Checks({
  legend,
  hint,
  error,
  children,
}: {
  legend: string
  hint?: string | undefined
  error?: string | undefined
  children: ReactNode
}) {
  const id = useId()
  const sentence = error ?? hint
  return (
    <fieldset aria-describedby={sentence ? id : undefined}>
      <legend className="text-small font-medium">{legend}</legend>
      {sentence && (
        <p id={id} className={`text-small ${error ? 'text-danger' : 'text-muted'}`}>
          {sentence}
        </p>
      )}
      <div className="mt-1">{children}</div>
    </fieldset>
  )
}

/** What few need, folded up. It opens without a script. */
export function Disclosure({ title, isOpen, children }: { title: string; isOpen?: boolean; children: ReactNode }) {
  return (
    <details open={isOpen} className="group">
      <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 rounded-control font-medium text-accent hover:underline">
        <span className="min-w-0 wrap-anywhere">{title}</span>
        <span className="group-open:-scale-y-100">
          <ChevronIcon />
        </span>
      </summary>
      <div className="mt-3 space-y-5">{children}</div>
    </details>
  )
}
