import { Field, type FieldProps } from '@/components/ui/field'

/** A username, as typed: nothing on the way may correct it. It comes first in its form and gets the focus. */
export function UsernameField({ label = 'Username', autoComplete = 'username', ...field }: Partial<FieldProps>) {
  return (
    <Field
      {...field}
      name="username"
      label={label}
      autoComplete={autoComplete}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      autoFocus
      required
    />
  )
}
