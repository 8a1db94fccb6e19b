import type { MiddlewareHandler } from 'hono'
import { keepFromCaches } from './pages.js'
import { notInGroup, notSignedIn } from './requests.js'
import { type Options, type Requirement, type User, latchkey as web } from './web.js'

export type { Options, Requirement, User } from './web.js'

/** For `new Hono<{ Variables: LatchkeyVariables }>()` */
export interface LatchkeyVariables {
  user: User | null
}

/** `app.use(latchkey())`: answers the paths below `/auth`, and makes `c.get('user')` whoever is signed in, or null. */
export function latchkey(options: Options = {}): MiddlewareHandler<{ Variables: LatchkeyVariables }> {
  const { handle, renew } = web(options)
  return async (c, next) => {
    const answer = await handle(c.req.raw)
    if (answer) return answer
    const { user, cookies } = await renew(c.req.raw)
    c.set('user', user)
    await next()
    for (const cookie of cookies) c.header('Set-Cookie', cookie, { append: true })
    if (cookies.length > 0) keepFromCaches(c.res.headers)
    return
  }
}

/** Lets on who is signed in, and in the group; leads to the sign-in, or answers 401 or 403. */
export function requireUser({ group }: Requirement = {}): MiddlewareHandler<{ Variables: { user: User } }> {
  return async (c, next) => {
    const user = c.get('user') as User | null | undefined
    if (user === undefined) throw new Error('requireUser() needs app.use(latchkey()) before it.')
    if (!user) return notSignedIn(c.req.raw)
    if (group !== undefined && !user.groups.includes(group)) return notInGroup(c.req.raw, group)
    await next()
    return
  }
}
