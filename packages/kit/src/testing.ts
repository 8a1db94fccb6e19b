import {
  createPerson as create,
  deletePeople,
  followToApp,
  type Latchkey,
  type Person,
  type PersonOptions,
  type SignedIn,
  sessionOf,
  signedIn,
  signInAs,
} from './testing/people.js'
import { type Cookie, Visitor } from './testing/visitor.js'

export type { Passkey } from './testing/passkey.js'
export type { Cookie, Latchkey, Person, PersonOptions, SignedIn }
export { deletePeople }

/** Signs somebody new up with a passkey in software. `deletePeople()` deletes the account, unless `keep` is set. */
export const createPerson = ({ latchkey, ...options }: PersonOptions & { latchkey?: Latchkey } = {}): Promise<Person> =>
  create(options, latchkey)

/** Signs in to Latchkey with the passkey, and returns the cookies that a browser would get. */
export async function signIn(person: Person): Promise<SignedIn> {
  const { visitor } = await signInAs(person)
  return signedIn(visitor, new URL(person.url))
}

/**
 * Signs in to an app by OpenID Connect, and returns the cookies that a browser would get from the app and Latchkey. Presses
 * Continue where Latchkey asks the person.
 *
 * @param url of a page of the app that redirects to the sign-in
 */
export async function signInTo(
  url: string | URL,
  person: Person,
  { cookies = [] }: { cookies?: Cookie[] } = {},
): Promise<SignedIn> {
  const session = await sessionOf(person)
  const visitor = new Visitor([...session.visitor.cookies, ...cookies])
  return signedIn(visitor, await followToApp(new URL(url), person, visitor))
}
