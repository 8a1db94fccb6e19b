import type { FormEvent } from 'react'
import type { Action } from '@/components/ui/use-action'

const missing: Record<string, string> = {
  username: 'Enter your username.',
  password: 'Enter your password.',
  code: 'Enter one of your recovery codes.',
  reauthenticationPassword: 'Enter your password.',
  reauthenticationCode: 'Enter a recovery code.',
  currentPassword: 'Enter your current password.',
  newPassword: 'Enter a new password.',
  passkeyName: 'Enter a name.',
}

/** A field's text as typed; empty when the form has no such field. */
export function textOf(data: FormData, name: string): string {
  const value = data.get(name)
  return typeof value === 'string' ? value : ''
}

/** A sentence for each field that was left empty, or null. Everything else is the server's to judge (blanks make a password, too). */
function missingFields(data: FormData): Record<string, string> | null {
  const empty = Object.entries(missing).filter(([name]) => data.has(name) && isEmpty(name, textOf(data, name)))
  return empty.length > 0 ? Object.fromEntries(empty) : null
}

function isEmpty(name: string, text: string): boolean {
  return (/password/i.test(name) ? text : text.trim()) === ''
}

/** What a form does when it is sent: nothing is, until every field is filled in. */
export function submitWhenFilled({ setFieldErrors }: Pick<Action, 'setFieldErrors'>, send: (data: FormData) => void) {
  return (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget)
    const missing = missingFields(data)
    if (missing) setFieldErrors(missing)
    else send(data)
  }
}

/** Goes on with a full navigation, so that no page made for somebody else stays in memory. */
export function navigate(path: string): undefined {
  window.location.assign(path)
}

/** Goes on after signing in. Browsers hand the part after # on through redirects, as from /.well-known/change-password. */
export function navigateAfterSignIn(next: string): undefined {
  return navigate(next.includes('#') ? next : next + window.location.hash)
}
