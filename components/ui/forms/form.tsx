import type { ComponentProps } from 'react'
import type { Action } from '@/components/ui/feedback/use-action'

interface FormProps extends Omit<ComponentProps<'form'>, 'action' | 'method' | 'noValidate' | 'onInput' | 'onKeyDown'> {
  /** What the form runs, whose failure its fields show. */
  action: Pick<Action, 'dropFieldError'>
}

/**
 * A form that its script sends, once every required field is filled in. `method=post` keeps what was typed out of the URL if
 * the form is sent before the script has loaded. What is wrong with a field is shown until its value changes.
 */
export const Form = ({ action, ...props }: FormProps) => (
  <form
    {...props}
    method="post"
    noValidate
    // A key that is held would send the form again and again, and use up the attempts.
    onKeyDown={(event) => event.key === 'Enter' && event.repeat && event.preventDefault()}
    onInput={({ target }) => action.dropFieldError((target as HTMLInputElement).name)}
  />
)
