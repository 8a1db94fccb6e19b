const { LATCHKEY_URL, LATCHKEY_ID, LATCHKEY_SECRET, NEXTAUTH_URL } = process.env
const logout = `${LATCHKEY_URL}/api/oauth/logout?`

/** @type {import('next-auth').NextAuthOptions} */
export const authOptions = {
  providers: [
    {
      id: 'latchkey',
      name: 'Latchkey',
      type: 'oauth',
      wellKnown: `${LATCHKEY_URL}/.well-known/openid-configuration`,
      clientId: LATCHKEY_ID,
      clientSecret: LATCHKEY_SECRET,
      authorization: { params: { scope: 'openid profile' } },
      idToken: true,
      checks: ['pkce', 'state', 'nonce'],
      profile: ({ sub, preferred_username }) => ({ id: sub, name: preferred_username }),
    },
  ],
  callbacks: {
    jwt: ({ token, account }) => (account ? { ...token, idToken: account.id_token } : token),
    session({ session, token }) {
      const end = { id_token_hint: token.idToken, post_logout_redirect_uri: NEXTAUTH_URL }
      return { ...session, id: token.sub, logout: logout + new URLSearchParams(end) }
    },
    // After signing out here, the browser goes on to sign out at Latchkey.
    redirect: ({ url, baseUrl }) =>
      url.startsWith(logout) || new URL(url, baseUrl).origin === baseUrl ? url : baseUrl,
  },
}
