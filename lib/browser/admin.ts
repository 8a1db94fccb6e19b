import type { PostBody, PostPath, PostResult } from '@/lib/api/endpoints'
import { administrators } from '@/lib/api/names'
import { fill } from '@/lib/messages/format/text'
import { pageLocale, pageNamespace } from '@/lib/messages/page-words'
import { runAction, withSentences } from './failures/describe-failure'
import { ApiClientError, isCode } from './failures/errors'
import type { Outcome } from './failures/outcomes'
import { fetchAccount, post } from './requests/post'

export type AdminPath = Extract<PostPath, `/api/admin/${string}`>

/** Calls an operators' endpoint, and passes its answer to `onResult`. */
export function administer<P extends AdminPath>(
  path: P,
  body: PostBody<P>,
  wording: { title: string; fields?: string[] },
  onResult: (result: PostResult<P>) => void,
): Promise<Outcome> {
  return runAdminAction(() => postAsOperator(path, body).then(onResult), wording)
}

/** What an operator changes of an account with a form of one field. */
const pathsOfFields = {
  username: '/api/admin/accounts/rename',
  displayName: '/api/admin/accounts/name',
  email: '/api/admin/accounts/email',
} as const

export type OperatorsField = keyof typeof pathsOfFields

interface FieldChange {
  id: string
  field: OperatorsField
  /** As it was when the form opened */
  was: string | null
  /** Null takes it away */
  value: string | null
  title: string
}

/**
 * Changes a field of an account. Fails at the field if it is no longer what the person saw, so that two administrators do not undo
 * each other's work unseen; `onChanged` gets what it is now, from which a second try starts.
 */
export function changeField(
  { id, field, was, value, title }: FieldChange,
  onChanged: (now: string | null) => void,
): Promise<Outcome> {
  const action = async () => {
    const { [field]: now } = await postAsOperator('/api/admin/accounts/show', { id })
    if (now !== was && now !== value) {
      onChanged(now)
      const { changedSince, removedSince } = pageNamespace('adminAccounts')
      const sentence = now === null ? removedSince : fill(pageLocale(), changedSince, { now })
      throw new ApiClientError('invalid_request', { fields: { [field]: sentence } })
    }
    await postAsOperator(pathsOfFields[field], { id, [field]: value } as never)
  }
  return runAdminAction(action, { title, fields: [field] })
}

export interface Change<T> {
  /** What the form began with, and what its person has seen of it since */
  opened: T
  seen: T
  /** The form's fields, as the endpoint takes them */
  given: Record<string, unknown>
  read: () => Promise<T>
  write: (changes: Record<string, unknown>) => Promise<unknown>
  title: string
  fields: string[]
}

/**
 * Writes only the fields that differ from what the form began with, so that two administrators keep each other's changes. Fails
 * before it replaces one that came after `seen`; `onChanged` gets what it is now, from which a second try starts.
 */
export async function changeSettings<T extends object>(
  { opened, seen, given, read, write, title, fields }: Change<T>,
  onChanged: (now: T) => void,
): Promise<Outcome> {
  const textOf = (thing: T, name: string) => JSON.stringify(thing[name as keyof T])
  const changes = Object.entries(given).filter(([name, value]) => textOf(opened, name) !== JSON.stringify(value))
  let isLost = false
  const action = async () => {
    const now = await read()
    isLost = changes.some(
      ([name, value]) => textOf(now, name) !== JSON.stringify(value) && textOf(now, name) !== textOf(seen, name),
    )
    if (isLost) onChanged(now)
    else await write(Object.fromEntries(changes))
  }
  const outcome = await runAdminAction(action, { title, fields })
  return isLost ? { title, detail: pageNamespace('adminApps').changedSince, fields: {}, code: null } : outcome
}

/** Fails at the field with what the mail server answered, and with what to look at. */
export function sendLetterToTry(email: string): Promise<Outcome> {
  const { tryFailed, notTaken, faults } = pageNamespace('deliveries')
  const action = async () => {
    const { error, fault } = await postAsOperator('/api/admin/letters/try', { email })
    if (error === null) return
    const sentence = fill(pageLocale(), notTaken, { error })
    const hint = fault === null ? sentence : `${sentence} ${faults[fault]}`
    throw new ApiClientError('invalid_request', { fields: { email: hint } })
  }
  return runAdminAction(action, { title: tryFailed, fields: ['email'] })
}

/** Another administrator was faster, or it has ended by itself. */
const runAdminAction = (action: () => Promise<unknown>, wording: { title: string; fields?: string[] }) =>
  runAction(withSentences({ not_found: pageNamespace('admin').gone }, action), wording)

export async function postAsOperator<P extends AdminPath>(path: P, body: PostBody<P>): Promise<PostResult<P>> {
  const call = post as (path: P, body: PostBody<P>) => Promise<PostResult<P>>
  try {
    return await call(path, body)
  } catch (error) {
    if (isCode(error, 'not_found') && !(await isStillAdministrator())) return leave()
    throw error
  }
}

/** To somebody who has left the administrators, the endpoints answer as if there were none. */
const isStillAdministrator = async () => (await fetchAccount()).groups.includes(administrators)

/** Never settles: the page goes away, and shows nothing until then. */
function leave(): Promise<never> {
  window.location.assign('/profile')
  return new Promise(() => undefined)
}
