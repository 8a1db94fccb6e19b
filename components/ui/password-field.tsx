'use client'

import { useState } from 'react'
import { Field, type FieldProps } from '@/components/ui/field'

export interface PasswordFieldProps extends Omit<FieldProps, 'name' | 'label' | 'type' | 'trailing'> {
  name?: string
  label?: string
  /** Hides the password while the form is being sent: some password managers save only password fields. */
  pending: boolean
}

export function PasswordField({ pending, name = 'password', label = 'Password', ...field }: PasswordFieldProps) {
  const [shown, setShown] = useState(false)
  const visible = shown && !pending
  const toggle = (
    <button
      type="button"
      onClick={() => setShown(!shown)}
      className="min-h-11 min-w-16 cursor-pointer rounded-control px-3 text-small font-medium text-muted hover:text-ink"
    >
      {visible ? 'Hide' : 'Show'}
      <span className="sr-only"> {label.toLowerCase()}</span>
    </button>
  )
  return <Field {...field} name={name} label={label} type={visible ? 'text' : 'password'} trailing={toggle} />
}
