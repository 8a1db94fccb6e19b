import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  type CreationOptions,
  createPasskey,
  fromPlaywright,
  type Passkey,
  type PlaywrightPasskey,
  signWithPasskey,
} from './passkey.js'
import { type Answer, type Cookie, Visitor } from './visitor.js'

/** The Latchkey that people of tests belong to. */
export interface Latchkey {
  /** Its origin; without it `LATCHKEY_URL`, or that of `latchkey dev` in this folder */
  url?: string | undefined
  /** An operator's key; without it `LATCHKEY_KEY`, or that of `latchkey dev` */
  key?: string | undefined
}

export interface PersonOptions {
  /** Without it a new one, since nobody else gets a username for 90 days after its account is deleted */
  username?: string
  displayName?: string
  /** Takes a key with the area `identity`. */
  email?: string
  /** Takes a key with the area `groups`. Makes groups that do not exist. */
  groups?: string[]
  /** The account stays after the tests. */
  keep?: boolean
}

export interface Person {
  id: string
  username: string
  displayName: string | null
  email: string | null
  groups: string[]
  /** The key that signs in. Nobody else has it. */
  passkey: Passkey
  /** The origin of their Latchkey */
  url: string
}

/** A session at Latchkey, with its latest step-up token. */
export interface Session {
  visitor: Visitor
  stepUp: string | undefined
  steppedUpAt: number
}

/** Step-up tokens end after ten minutes. */
const stepUpMilliseconds = 9 * 60_000

const devOrigin = 'http://localhost:3001'

const newest = new WeakMap<Person, Session>()
const operators = new WeakMap<Person, Operator>()
const toDelete = new Set<Person>()

/** Signs somebody new up with a passkey. */
export async function createPerson({ keep = false, ...options }: PersonOptions = {}, latchkey: Latchkey = {}) {
  const operator = new Operator(latchkey)
  const url = operator.origin
  const { displayName = null, email = null, groups = [] } = options
  if (email !== null) operator.require('An e-mail address')
  if (groups.length > 0) operator.require('A group')

  const session: Session = { visitor: new Visitor(), stepUp: undefined, steppedUpAt: 0 }
  const username = options.username ?? `test-${randomBytes(8).toString('hex')}`
  const { passkey, answer } = createPasskey(await creationOptions(session, operator, username), url)
  const { user } = await post<{ user: { id: string } }>(session, url, '/api/auth/register/verify', answer)
  const person: Person = { id: user.id, username, displayName, email, groups, passkey, url }
  newest.set(person, session)
  operators.set(person, operator)
  if (!keep) toDelete.add(person)

  try {
    if (displayName !== null) await post(session, url, '/api/i/name', { displayName })
    if (email !== null) await operator.post('/api/admin/accounts/email', { id: person.id, email })
    for (const group of groups) await operator.post('/api/admin/groups/add', { group, accounts: [person.id] })
  } catch (error) {
    await deletePerson(person).catch(() => undefined)
    throw error
  }
  return person
}

async function creationOptions(session: Session, operator: Operator, username: string): Promise<CreationOptions> {
  const ask = (invitation?: string) =>
    post<CreationOptions>(session, operator.origin, '/api/auth/register/options', { username, invitation })
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof LatchkeyError) || error.code !== 'sign_up_closed') throw error
    operator.require(`Signing up at ${operator.origin}, which SIGN_UP closes,`)
    const body = { count: 1, expires: '1h', note: 'latchkey-kit' }
    const made = await operator.post<{ invitations: { url: string }[] }>('/api/admin/invitations/add', body)
    const link = new URL(made.invitations[0]?.url ?? '', operator.origin)
    return ask(new URLSearchParams(link.hash.slice(1)).get('invitation') ?? undefined)
  }
}

/** Somebody of the `latchkey dev` that runs in this folder, and who stays. */
export function personOfDev(username: string, latchkey: Latchkey): Person {
  const url = originOf(latchkey)
  const text = readDev('passkeys.json')
  const { people } = JSON.parse(text ?? '{"people":{}}') as { people: Record<string, Passkey & { id: string }> }
  const found = people[username]
  const problem =
    text === null
      ? `there is no ${devFile('passkeys.json')}. Start latchkey dev in this folder`
      : url !== originOfDev()
        ? `that runs at ${originOfDev()}, not at ${url}. Use sharedPerson there`
        : `there are ${Object.keys(people).join(', ') || 'none yet'}. Add people to latchkey.json`
  if (!found || url !== originOfDev())
    throw new Error(`"${username}" must be one of the people of latchkey dev: ${problem}.`)
  const { id, ...passkey } = found
  return { id, username, displayName: null, email: null, groups: [], passkey, url }
}

/** Signs in with the passkey: a new session, or a step-up in the browser given. */
export async function signInAs(person: Person, visitor = new Visitor()): Promise<Session> {
  const session: Session = { visitor, stepUp: undefined, steppedUpAt: 0 }
  const options = await post<{ challenge: string }>(session, person.url, '/api/auth/login/options')
  await post(session, person.url, '/api/auth/login/verify', signWithPasskey(person.passkey, options, person.url))
  return session
}

async function renewed(person: Person, visitor?: Visitor): Promise<Session> {
  const session = await signInAs(person, visitor)
  newest.set(person, session)
  return session
}

/** The person's session, if it still is one; else a new one. */
export async function sessionOf(person: Person): Promise<Session> {
  const session = newest.get(person)
  if (!session) return renewed(person)
  const { status } = await session.visitor.post(new URL('/api/i', person.url))
  return status === 200 ? session : renewed(person)
}

/** The person's session, with a step-up token. */
async function steppedUp(person: Person): Promise<Session> {
  const session = await sessionOf(person)
  const isFresh = session.stepUp !== undefined && Date.now() - session.steppedUpAt < stepUpMilliseconds
  return isFresh ? session : renewed(person, session.visitor)
}

/** Adds a passkey to the account. */
export async function addPasskey(person: Person): Promise<Passkey> {
  const session = await steppedUp(person)
  const { passkey, answer } = createPasskey(await post(session, person.url, '/api/auth/register/options'), person.url)
  await post(session, person.url, '/api/auth/register/verify', answer)
  return passkey
}

/** Removes a passkey from the account, if it is still there. */
export async function removePasskey(person: Person, { credentialId }: Passkey): Promise<void> {
  await post(await steppedUp(person), person.url, '/api/i/passkeys/remove', { id: credentialId }).catch(
    ignore('not_found'),
  )
}

/** Deletes the account, if it is still there. */
export async function deletePerson(person: Person): Promise<void> {
  toDelete.delete(person)
  try {
    await post(await steppedUp(person), person.url, '/api/i/delete')
  } catch (error) {
    // The test has taken away the passkey, or disabled or deleted the account.
    const operator = operators.get(person)
    if (operator?.key) await operator.post('/api/admin/accounts/delete', { id: person.id }).catch(ignore('not_found'))
    else ignore('unknown_passkey')(error)
  }
}

/**
 * Deletes the account that a page has signed up with this passkey. Leaves one that is older than the passkey: the page has only
 * added a way to sign in to it.
 */
export async function deleteSignedUp(key: PlaywrightPasskey, latchkey: Latchkey): Promise<void> {
  const { origin, hostname } = new URL(originOf(latchkey))
  if (!`.${hostname}`.endsWith(`.${key.rpId}`)) return
  const session: Session = { visitor: new Visitor(), stepUp: undefined, steppedUpAt: 0 }
  try {
    const options = await post<{ challenge: string }>(session, origin, '/api/auth/login/options')
    const answer = signWithPasskey(fromPlaywright(key), options, origin, key.signCount + 1)
    await post(session, origin, '/api/auth/login/verify', answer)
    const account = await post<Account>(session, origin, '/api/i')
    const passkey = account.passkeys.find(({ id }) => id === key.id)
    const age = Date.parse(passkey?.createdAt ?? '') - Date.parse(account.createdAt)
    if (age < oneInsertMilliseconds) await post(session, origin, '/api/i/delete')
  } catch (error) {
    ignore('unknown_passkey')(error)
  }
}

interface Account {
  createdAt: string
  passkeys: { id: string; createdAt: string }[]
}

/** An account and its first passkey are inserted together. */
const oneInsertMilliseconds = 1_000

/** Deletes whom this process has made and does not keep. */
export async function deletePeople(): Promise<void> {
  const outcomes = await Promise.allSettled([...toDelete].map(deletePerson))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) throw failed.reason
}

const ignore = (code: string) => (error: unknown) => {
  if (!(error instanceof LatchkeyError) || error.code !== code) throw error
}

/** Follows redirects from an app's page through Latchkey and back, as a browser does; says yes where Latchkey asks the person. */
export async function followToApp(start: URL, person: Person, visitor: Visitor): Promise<URL> {
  const origin = new URL(person.url).origin
  if (start.origin === origin)
    throw new Error(`signInTo takes the address of an app's page, not one of Latchkey (${start}).`)
  // Ports of localhost share their cookies, so that the app gets those of Latchkey, too.
  const isKnown = visitor
    .cookieHeader(start)
    .split('; ')
    .some((pair) => pair !== '' && !/^latchkey-(?!app-)/.test(pair))
  let session: Session = { visitor, stepUp: undefined, steppedUpAt: 0 }
  let cameBy = false
  let url = start
  for (let steps = 0; steps < 30; steps++) {
    const isLatchkey = url.origin === origin
    cameBy ||= isLatchkey
    if (isLatchkey && url.pathname === '/signin') {
      // The app asks for a sign-in that is newer than the session.
      session = await signInAs(person, visitor)
      url = new URL(url.searchParams.get('next') ?? '/', origin)
    } else if (isLatchkey && url.pathname === '/consent') {
      const body = { request: url.searchParams.get('request'), allow: true }
      const allow = () => post<{ location: string }>(session, origin, '/api/oauth/consent', body)
      const { location } = await allow().catch(async (error: unknown) => {
        // Allowing offline_access takes a step-up.
        ignore('reauthentication_required')(error)
        session = await signInAs(person, visitor)
        return allow()
      })
      url = new URL(location, origin)
    }
    const answer = await visitor.open(url)
    const { location } = answer.headers
    if (answer.status >= 300 && answer.status < 400 && location !== undefined) {
      url = new URL(location, url)
      continue
    }
    if (url.origin === origin) throw new Error(`Signing in to ${start} ended at Latchkey: ${describePage(answer)}`)
    if (answer.status >= 400)
      throw new Error(`Signing in to ${start} ended at ${url} with the status ${answer.status}.`)
    if (!cameBy && !isKnown)
      throw new Error(
        `${start} did not lead to ${origin}: give signInTo an address that redirects to the sign-in, such as the app's ` +
          '/auth/sign-in. A page that signs in by a script of its own takes page.goto().',
      )
    return url
  }
  throw new Error(`Signing in to ${start} did not end after 30 redirects; the last leads to ${url}.`)
}

function describePage({ url, status, text }: Answer): string {
  if (text.includes('</form>') && status === 200)
    return `the app takes its answer by form_post. Open its page with page.goto().`
  const words = /<main[^>]*>(.*?)<\/main>/s.exec(text)?.[1] ?? text
  const sentence = words
    .replaceAll(/<(script|style).*?<\/\1>/gs, ' ')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
  return `${url.pathname} answered ${status}: ${sentence.trim().slice(0, 300)}`
}

/** Cookies of a session, as a result. */
export interface SignedIn {
  /** Where it ended */
  url: string
  cookies: Cookie[]
  /** The header `Cookie` for `url` */
  cookie: string
}

export const signedIn = (visitor: Visitor, url: URL): SignedIn => ({
  url: url.href,
  cookies: visitor.cookies,
  cookie: visitor.cookieHeader(url),
})

/** An error in Latchkey's words. */
export class LatchkeyError extends Error {
  readonly code: string | undefined

  constructor({ url, status, text }: Answer) {
    const { error, code } = readJson(text) as { error?: string; code?: string }
    const said = code === undefined ? `answered ${status}, not as Latchkey does` : `refused: ${error} (${code})`
    super(`${url.origin}${url.pathname} ${said}${advice[code ?? ''] ?? ''}`)
    this.code = code
  }
}

const advice: Record<string, string> = {
  username_taken:
    '. A username stays taken for 90 days after its account is deleted: leave it out, and name people by displayName.',
  too_many_attempts:
    '. A server of production lets an address create 100 accounts in 15 minutes: share people among tests, or raise RATE_LIMIT_ADDRESS_MAX for the tests.',
  not_allowed: '. Give the key of the tests the areas accounts, identity, groups and invitations.',
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

/** Posts as the page of a session does. @throws LatchkeyError */
async function post<T = unknown>(session: Session, origin: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = session.stepUp === undefined ? {} : { 'Latchkey-Step-Up': session.stepUp }
  const answer = await session.visitor.post(new URL(path, origin), body, headers)
  const result = resultOf<T & { stepUp?: string }>(answer)
  if (result.stepUp !== undefined) {
    session.stepUp = result.stepUp
    session.steppedUpAt = Date.now()
  }
  return result
}

function resultOf<T>(answer: Answer): T {
  if (answer.status >= 300) throw new LatchkeyError(answer)
  return readJson(answer.text) as T
}

/** Whom a key makes: sends no cookie, and without a key nothing at all. */
class Operator {
  readonly origin: string
  readonly key: string | undefined

  constructor(latchkey: Latchkey) {
    this.origin = originOf(latchkey)
    const { key = process.env.LATCHKEY_KEY } = latchkey
    // dev's own goes to its own address alone.
    this.key = key ?? (this.origin === originOfDev() ? readDev('key') : null) ?? undefined
  }

  /** @throws before any request */
  require(what: string) {
    if (this.key === undefined)
      throw new Error(
        `${what} takes an operator's key: set LATCHKEY_KEY to one that ` +
          '`accounts key add tests --for accounts,identity,groups,invitations` prints, or run latchkey dev in this folder.',
      )
  }

  async post<T = unknown>(path: string, body: object): Promise<T> {
    const headers = { Authorization: `Bearer ${this.key}` }
    return resultOf<T>(await new Visitor().post(new URL(path, this.origin), body, headers))
  }
}

export function originOf({ url = process.env.LATCHKEY_URL ?? originOfDev() }: Latchkey): string {
  if (!URL.canParse(url)) throw new Error(`"${url}" is no address. Give the origin of Latchkey, such as ${devOrigin}.`)
  return new URL(url).origin
}

/* What latchkey dev keeps in the folder that it was started in. */

const devFile = (name: string) => resolve('.latchkey', name)

function readDev(name: 'url' | 'key' | 'passkeys.json'): string | null {
  try {
    return readFileSync(devFile(name), 'utf8').trim()
  } catch {
    return null
  }
}

const originOfDev = () => readDev('url') ?? devOrigin
