import { join } from 'node:path'
import { carryOut } from '@/lib/admin/actions'
import { isApiError } from '@/lib/api/errors'
import { administrators } from '@/lib/api/names'
import type { ShownAccount } from '@/lib/api/schemas'
import { commandOperator } from '@/lib/auth/operator/operator'
import { errorSentence, fieldSentence } from '@/lib/messages/catalogues'
import { settings } from '@/lib/settings/settings'
import { createPasskey, type Passkey, signWithPasskey } from '@/packages/kit/src/testing/passkey'
import { CommandError } from '../accounts/terminal'
import { readText, writePrivate } from './environment'
import type { Person } from './file'

/** An account and the passkey that signs it in. */
export type Member = Passkey & { id: string }

const operator = commandOperator()

/** The people of the file, and their passkeys in `.latchkey/passkeys.json`. */
export class People {
  /** The names that the file has now, in its order */
  names: string[] = []
  readonly #path: string
  readonly #origin: string
  readonly #members: Map<string, Member>

  /** @param folder `.latchkey` @throws CommandError */
  constructor(folder: string, origin: string) {
    this.#path = join(folder, 'passkeys.json')
    this.#origin = origin
    this.#members = readMembers(this.#path)
  }

  /** Undefined for who is not in the file, or could not be made. */
  find(name: string): Member | undefined {
    return this.names.includes(name) ? this.#members.get(name) : undefined
  }

  /** Makes those who are missing, and the others what the file says. @returns a sentence for each who could not be */
  async apply(people: Person[]): Promise<string[]> {
    const faults: string[] = []
    const names: string[] = []
    for (const person of people) {
      try {
        await this.#make(person)
        names.push(person.username)
      } catch (error) {
        faults.push(`${person.username}: ${sentenceOf(error)}`)
      }
    }
    this.names = names
    return faults
  }

  /** Signs in. @param cookies of the browser before @returns the `Set-Cookie` lines */
  async signIn(name: string, member: Member, cookies: string): Promise<string[]> {
    const begun = await this.#post('/api/auth/login/options', { username: name }, cookies)
    const body = signWithPasskey(member, begun.body as { challenge: string }, this.#origin)
    const done = await this.#post('/api/auth/login/verify', body, cookies)
    return [...begun.cookies, ...done.cookies]
  }

  /** Ends the session of these cookies. */
  async signOut(cookies: string): Promise<void> {
    await this.#post('/api/signout', undefined, cookies)
  }

  async #make({ username, displayName, email, groups }: Person): Promise<void> {
    const account = (await showAccount(username)) ?? (await this.#signUp(username))
    const member = this.#members.get(username)
    if (!member || !account.passkeys.some(({ id }) => id === member.credentialId))
      throw new CommandError(
        `an account has that name, and no passkey of which the key is here. Delete it: latchkey dev accounts delete ${username}`,
      )
    const { id } = account
    if (member.id !== id) this.#keep(username, { ...member, id })
    if (displayName !== undefined && displayName !== account.displayName)
      await carryOut(operator, '/accounts/name', { id, displayName })
    if (email !== undefined && email !== account.email) await carryOut(operator, '/accounts/email', { id, email })
    if (groups === undefined) return
    for (const group of groups.filter((one) => !account.groups.includes(one)))
      await carryOut(operator, '/groups/add', { group, accounts: [id] })
    for (const group of account.groups.filter((one) => !groups.includes(one) && one !== administrators))
      await carryOut(operator, '/groups/remove', { group, accounts: [id] })
  }

  /** As everybody does: with a passkey, by the API. */
  async #signUp(username: string): Promise<ShownAccount> {
    const options = await this.#post('/api/auth/register/options', { username, ...(await invitation()) })
    const { passkey, answer } = createPasskey(options.body as Parameters<typeof createPasskey>[0], this.#origin)
    // Before the account exists: a kill in between must not leave one without its key.
    this.#keep(username, { id: '', ...passkey })
    const { cookies } = await this.#post('/api/auth/register/verify', answer)
    await this.signOut(cookies.map((line) => line.split(';')[0]).join('; '))
    const account = await showAccount(username)
    if (!account) throw new CommandError('the account was deleted at once.')
    return account
  }

  #keep(username: string, member: Member): void {
    this.#members.set(username, member)
    writePrivate(this.#path, `${JSON.stringify({ people: Object.fromEntries(this.#members) }, null, 2)}\n`)
  }

  async #post(path: string, body?: unknown, cookies = '') {
    const response = await fetch(`${this.#origin}${path}`, {
      method: 'POST',
      headers: {
        'Accept-Language': 'en',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(cookies && { Cookie: cookies }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const answer = text ? JSON.parse(text) : undefined
    if (!response.ok) throw new CommandError(Object.values(answer?.fields ?? {}).join(' ') || answer?.error || text)
    return { body: answer as unknown, cookies: response.headers.getSetCookie() }
  }
}

function readMembers(path: string): Map<string, Member> {
  try {
    const { people = {} } = JSON.parse(readText(path) ?? '{}') as { people?: Record<string, Member> }
    return new Map(Object.entries(people))
  } catch {
    throw new CommandError(
      `${path} cannot be read. Delete ${join(path, '..')}: latchkey dev makes people and keys again.`,
    )
  }
}

const showAccount = (username: string) =>
  carryOut(operator, '/accounts/show', { username }).catch((error: unknown) => {
    if (isApiError(error) && error.code === 'not_found') return null
    throw error
  })

/** Where SIGN_UP is not open, which a file of settings may say. */
async function invitation(): Promise<{ invitation?: string }> {
  const { signUp } = settings()
  if (signUp === 'open') return {}
  if (signUp === 'closed') throw new CommandError('nobody can be made while SIGN_UP is closed. Make it invited.')
  const { invitations } = await carryOut(operator, '/invitations/add', { expires: '1h' })
  const token = new URLSearchParams(new URL(invitations[0]?.url ?? '').hash.slice(1)).get('invitation')
  return token === null ? {} : { invitation: token }
}

export function sentenceOf(error: unknown): string {
  if (!isApiError(error)) return error instanceof Error ? error.message : String(error)
  const fields = Object.values(error.details.fields ?? {})
  return fields.length > 0
    ? fields.map((field) => fieldSentence('en', field)).join(' ')
    : errorSentence('en', error.code)
}
