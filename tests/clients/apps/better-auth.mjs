import { betterAuth } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins'
import { APP, CLIENT_ID, CLIENT_SECRET, home, ISSUER, listen } from './site.mjs'

// Without a database, it keeps everything in cookies.
const auth = betterAuth({
  baseURL: APP,
  secret: 'a secret of this app alone, which is longer than 32 characters',
  telemetry: { enabled: false },
  plugins: [
    genericOAuth({
      config: [
        {
          providerId: 'latchkey',
          discoveryUrl: `${ISSUER}/.well-known/openid-configuration`,
          requireIdTokenVerification: true,
          clientId: CLIENT_ID,
          clientSecret: CLIENT_SECRET,
          scopes: ['openid', 'profile', 'email', 'offline_access'],
        },
      ],
    }),
  ],
})

/** @type {Record<string, (headers: Headers) => Promise<Response>>} */
const pages = {
  async '/'(headers) {
    const session = await auth.api.getSession({ headers })
    if (!session) return home()
    const [account] = await auth.api.listUserAccounts({ headers })
    const { accessToken } = await auth.api.getAccessToken({ headers, body: { useAccountCookie: true } })
    return home({ username: session.user.name, sub: account?.accountId ?? '', accessToken, refresh: true })
  },

  '/sign-in': async () => {
    const body = { provider: 'latchkey', callbackURL: '/' }
    return follow(await auth.api.signInSocial({ body, asResponse: true }))
  },

  '/refresh': async (headers) => {
    const answer = await auth.api.refreshToken({ headers, body: { useAccountCookie: true }, asResponse: true })
    return follow(answer, '/')
  },

  '/sign-out': async (headers) =>
    follow(await auth.api.signOut({ headers, body: { callbackURL: '/signed-out' }, asResponse: true })),
}
pages['/signed-out'] = async () => home()

/**
 * Leads where an answer says, as better-auth's own client does in the browser, with its cookies.
 *
 * @param {Response} answer @param {string} [location]
 */
async function follow(answer, location) {
  const body = await answer.json()
  if (!answer.ok) throw new Error(JSON.stringify(body))
  const headers = new Headers({ Location: location ?? body.url })
  for (const cookie of answer.headers.getSetCookie()) headers.append('Set-Cookie', cookie)
  return new Response(null, { status: 302, headers })
}

listen((request) => {
  const { pathname } = new URL(request.url)
  return pages[pathname]?.(request.headers) ?? auth.handler(request)
})
