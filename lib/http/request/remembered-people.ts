import { limits } from '@/lib/api/limits'
import { maxCookieSeconds } from '@/lib/api/names'
import type { RememberedSignIn } from '@/lib/api/site'
import { cutsOf } from '@/lib/mark'
import { readCookie, serializeCookie } from './cookies'
import type { ReadableHeaders } from './head'

const { min, max, characters } = limits.username
const personFormat = new RegExp(`^(passkey|password|)\\.([0-3]{8})\\.([${characters}-]{${min},${max}})$`)

/** A browser that more people share is no one's own, and a longer list would have no end. */
const mostPeople = 5

const methodOf = (text: string | undefined) => (text === 'passkey' || text === 'password' ? text : null)

/** Reads the cookie `hint`: the method of the last sign-in, and after each `~` a person, whose username cannot have one. */
export function readRememberedSignIn(headers: ReadableHeaders): RememberedSignIn {
  const [method, ...people] = (readCookie(headers, 'hint') ?? '').split('~')
  return {
    method: methodOf(method),
    people: people.slice(0, mostPeople).flatMap((text) => {
      const [, method, cuts, username] = personFormat.exec(text) ?? []
      return cuts && username ? [{ method: methodOf(method), cuts, username }] : []
    }),
  }
}

export const noRememberedSignIn: RememberedSignIn = { method: null, people: [] }

/** Makes the `Set-Cookie` of the remembered sign-in; without a method and people, it removes the cookie `hint`. */
export function rememberedSignInCookie({ method, people }: RememberedSignIn): string {
  const texts = people.slice(0, mostPeople).map(({ method, cuts, username }) => `${method ?? ''}.${cuts}.${username}`)
  const value = [method ?? '', ...texts].join('~')
  return serializeCookie('hint', value, value === '' ? 0 : maxCookieSeconds)
}

/** After a sign-in: a person who is remembered comes first; nobody is added, because that is theirs to ask for. */
export function rememberedAfterSignIn(
  { method: before, people }: RememberedSignIn,
  method: RememberedSignIn['method'],
  user: { id: string; username: string },
): RememberedSignIn {
  const remembered = { method: method ?? before, people }
  return isRemembered(remembered, user) ? withPerson(remembered, user) : remembered
}

const isRemembered = ({ people }: RememberedSignIn, { id }: { id: string }) =>
  people.some(({ cuts }) => cuts === cutsOf(id))

/** Puts a person first, under the name that they have now. */
export const withPerson = (
  remembered: RememberedSignIn,
  { id, username }: { id: string; username: string },
): RememberedSignIn => ({
  ...remembered,
  people: [{ method: remembered.method, cuts: cutsOf(id), username }, ...withoutPerson(remembered, id).people],
})

export const withoutPerson = (remembered: RememberedSignIn, id: string): RememberedSignIn => ({
  ...remembered,
  people: remembered.people.filter(({ cuts }) => cuts !== cutsOf(id)),
})

/** Follows a new name of somebody who is remembered. */
export const renamedPerson = (
  remembered: RememberedSignIn,
  user: { id: string; username: string },
): RememberedSignIn | null => (isRemembered(remembered, user) ? withPerson(remembered, user) : null)
