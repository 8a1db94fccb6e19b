import type { ComponentProps } from 'react'
import type { Action } from '@/components/ui/feedback/use-action'

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
