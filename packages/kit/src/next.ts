import { cookies, headers } from 'next/headers.js'
import { type NextRequest, NextResponse } from 'next/server.js'
import { json, keepFromCaches } from './pages.js'
import type { User } from './provider.js'
import { notInGroup, notSignedIn, refererPath, signInPath } from './requests.js'
import { type Options, type Requirement, latchkey as web } from './web.js'

export type { Options, Requirement, User } from './web.js'

/** The path of the page, which Next does not tell a Server Component. It only says where a sign-in leads back to. */
const pathHeader = 'x-latchkey-path'

export interface NextLatchkey {
  /** Who is signed in, or null: in Server Components, Actions and route files. */
  auth(): Promise<User | null>
  /** Who is signed in: in Server Components and Actions. Leads anybody else to the sign-in and back, or to a page that says 403. */
  requireUser(requirement?: Requirement): Promise<User>
  /** A route file's method for people who are signed in; anybody else gets 401, or 403 without the group, in JSON. */
  withUser<Params = Record<string, string | string[] | undefined>>(
    handler: (request: NextRequest, context: { params: Promise<Params>; user: User }) => Response | Promise<Response>,
    requirement?: Requirement,
  ): (request: NextRequest, context: { params: Promise<Params> }) => Promise<Response>
  /** The methods of `app/auth/[...latchkey]/route.ts` */
  handlers: { GET(request: NextRequest): Promise<Response>; POST(request: NextRequest): Promise<Response> }
  /** Optional: tells `requireUser` the path of the page, and renews sessions with `offline`. It protects nothing. */
  proxy(request: NextRequest): Promise<NextResponse>
}

/** Sign-in for an app of Next.js. Reads its settings at the first request, so that `next build` needs none. */
export function latchkey(options: Options = {}): NextLatchkey {
  const { handle, auth: userOf, renew } = web(options)

  const currentRequest = async () => {
    const sent = await headers()
    return new Request(`http://${sent.get('host') ?? 'localhost'}${safePath(sent.get(pathHeader))}`, {
      headers: new Headers(sent),
    })
  }
  const authenticate = async () => {
    const request = await currentRequest()
    if (!options.offline) return { user: await userOf(request), isRenewed: false }
    const store = await cookies()
    const { user, cookies: renewed } = await renew(request, () => mayStore(store, options.sessionHours))
    for (const header of renewed) storeCookie(header, store)
    return { user, isRenewed: renewed.length > 0 }
  }
  const auth = async () => (await authenticate()).user
  const answer = async (request: NextRequest) => (await handle(request)) ?? json({ error: 'not_found' }, 404)

  return {
    auth,
    async requireUser({ group } = {}) {
      const user = await auth()
      const { redirect } = await navigation()
      if (!user) {
        const request = await currentRequest()
        return redirect(signInPath(request.headers.get(pathHeader) ?? actionPath(request)))
      }
      if (group !== undefined && !user.groups.includes(group)) return forbid()
      return user
    },
    withUser:
      (handler, { group } = {}) =>
      async (request, context) => {
        const { user, isRenewed } = await authenticate()
        // A route file is an API, also where a person opens its address.
        const call = new Request(request.url, { headers: { accept: 'application/json' } })
        if (!user) return notSignedIn(call)
        if (group !== undefined && !user.groups.includes(group)) return notInGroup(call, group)
        const answer = await handler(request, { ...context, user })
        if (!isRenewed) return answer
        // Next adds the cookies to it.
        const own = new Response(answer.body, answer)
        keepFromCaches(own.headers)
        return own
      },
    handlers: { GET: answer, POST: answer },
    async proxy(request) {
      const forwarded = new Headers(request.headers)
      forwarded.set(pathHeader, request.nextUrl.pathname + request.nextUrl.search)
      const { cookies: renewed } = options.offline ? await renew(request) : { cookies: [] }
      // The page that follows must see the renewed session, too.
      for (const cookie of renewed) forwarded.set('cookie', withCookie(forwarded.get('cookie') ?? '', cookie))
      const response = NextResponse.next({ request: { headers: forwarded } })
      for (const cookie of renewed) response.headers.append('Set-Cookie', cookie)
      if (renewed.length > 0) keepFromCaches(response.headers)
      return response
    },
  }
}

/**
 * Next's bundler has another module by this name for pages, which it finds without `.js` only; Node finds none without, so that it
 * is not loaded before it is used.
 */
const navigation = () => import('next/navigation')

/** An Action's request comes from the page that has its form. */
const actionPath = (request: Request) => (request.headers.has('next-action') ? refererPath(request) : null)

const safePath = (path: string | null) => (path?.startsWith('/') ? path : '/')

/** Next's page for it where `experimental.authInterrupts` is on, else ours. */
async function forbid(): Promise<never> {
  const { forbidden, redirect } = await navigation()
  try {
    return forbidden()
  } catch (error) {
    if ((error as { digest?: string }).digest?.startsWith('NEXT_HTTP_ERROR_FALLBACK')) throw error
    return redirect('/auth/forbidden')
  }
}

/**
 * Whether this code may set cookies, which pages may not: the refresh token that it uses up would be lost. Next says so only when
 * one is set, so that the session's is set again as it is.
 */
function mayStore(store: Awaited<ReturnType<typeof cookies>>, hours = 12): boolean {
  const session = store.getAll().find(({ name }) => /^(__Host-)?latchkey-app-[\da-f]{8}$/.test(name))
  if (!session) return false
  const secure = session.name.startsWith('__Host-')
  try {
    store.set({ ...session, path: '/', maxAge: hours * 3600, httpOnly: true, sameSite: 'lax', secure })
    return true
  } catch {
    return false
  }
}

function storeCookie(header: string, store: Awaited<ReturnType<typeof cookies>>) {
  const [pair = '', ...attributes] = header.split('; ')
  const at = pair.indexOf('=')
  const attribute = (name: string) => attributes.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1)
  store.set(pair.slice(0, at), pair.slice(at + 1), {
    path: attribute('Path') ?? '/',
    maxAge: Number(attribute('Max-Age')),
    httpOnly: true,
    sameSite: 'lax',
    secure: attributes.includes('Secure'),
  })
}

/** The Cookie header with one cookie as a Set-Cookie has it. */
function withCookie(header: string, setCookie: string): string {
  const [pair = ''] = setCookie.split(';')
  const name = pair.slice(0, pair.indexOf('='))
  const others = header.split('; ').filter((one) => one && !one.startsWith(`${name}=`))
  return [...others, ...(pair.endsWith('=') ? [] : [pair])].join('; ')
}
