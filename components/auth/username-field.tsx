import { Field, type FieldProps } from '@/components/ui/field'

/** A username, with the keyboard's corrections off. It is the first field of its form and takes the focus. */
export function UsernameField(field: Partial<FieldProps>) {
  return (
    <Field
      label="Username"
      missing="Enter your username."
      autoComplete="username"
      {...field}
      name="username"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      autoFocus
    />
  )
}
