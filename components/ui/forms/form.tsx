import type { ComponentProps } from 'react'

/**
 * A form that its script sends, once every required field is filled in. `method=post` keeps what was typed out of the address if
 * the form is sent before the script has loaded.
 */
export const Form = (props: Omit<ComponentProps<'form'>, 'method' | 'noValidate'>) => (
  <form {...props} method="post" noValidate />
)
