import type { FormEvent } from 'react'
import type { Action } from '@/components/ui/feedback/use-action'

/** A field's text as typed; empty when the form has no such field. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

/** Handles a form's submit event: sends it once every required field is filled in, and leaves all other checks to the server. */
export function submitWhenFilled({ setFieldErrors }: Pick<Action, 'setFieldErrors'>, send: (data: FormData) => void) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const empty = [...form.querySelectorAll<HTMLInputElement>('[data-missing]')].filter(isEmpty)
    if (empty.length === 0) return send(new FormData(form))
    setFieldErrors(Object.fromEntries(empty.map(({ name, dataset }) => [name, dataset.missing ?? ''])))
  }
}

/** Spaces alone are a password, but no username. */
function isEmpty({ value, autocomplete }: HTMLInputElement): boolean {
  return (autocomplete.includes('password') ? value : value.trim()) === ''
}
