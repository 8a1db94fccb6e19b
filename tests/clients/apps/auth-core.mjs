import { Auth } from '@auth/core'
import { APP, CLIENT_ID, CLIENT_SECRET, home, ISSUER, listen, redirect } from './site.mjs'

const endOfSession = `${ISSUER}/api/oauth/logout?`

/** @type {import('@auth/core').AuthConfig} */
const config = {
  basePath: '/auth',
  secret: 'a secret of this app alone, which is longer than 32 characters',
  trustHost: true,
  providers: [
    {
      id: 'latchkey',
      name: 'Latchkey',
      type: 'oidc',
      issuer: ISSUER,
      clientId: CLIENT_ID,
      clientSecret: CLIENT_SECRET,
      profile: ({ sub, preferred_username, email }) => ({ id: sub, name: preferred_username, email }),
    },
  ],
  callbacks: {
    jwt: ({ token, account }) =>
      account ? { ...token, sub: account.providerAccountId, idToken: account.id_token } : token,
    session: ({ session, token: { sub, idToken } }) => ({ ...session, sub, idToken }),
    redirect: ({ url, baseUrl }) => (url.startsWith(endOfSession) || url.startsWith(baseUrl) ? url : baseUrl),
  },
}

/** @param {Request} request */
async function sessionOf({ headers }) {
  const answer = await Auth(new Request(`${APP}/auth/session`, { headers }), config)
  return answer.json()
}

listen(async (request) => {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/auth/')) return Auth(request, config)
  if (pathname === '/sign-in') return redirect('/auth/signin?callbackUrl=/')
  const session = await sessionOf(request)
  if (pathname !== '/sign-out') return home(session && { username: session.user.name, sub: session.sub })
  const end = { id_token_hint: session.idToken, post_logout_redirect_uri: `${APP}/signed-out` }
  return redirect(`/auth/signout?${new URLSearchParams({ callbackUrl: endOfSession + new URLSearchParams(end) })}`)
})
