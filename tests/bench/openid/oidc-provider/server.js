// oidc-provider as its documentation sets it up, with its adapter that keeps everything in memory and its own pages.
import { generateKeyPairSync } from 'node:crypto'
import { Provider } from 'oidc-provider'

const { PORT, CLIENT_ID, CLIENT_SECRET, REDIRECT_URI, SIGNED_ACCESS_TOKENS } = process.env
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const provider = new Provider(`http://localhost:${PORT}`, {
  clients: [
    {
      client_id: CLIENT_ID,
      client_secret: CLIENT_SECRET,
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: 'client_secret_post',
    },
  ],
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
  claims: { profile: ['preferred_username', 'name', 'updated_at'] },
  conformIdTokenClaims: false,
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, preferred_username: id, name: id, updated_at: 0 }),
  }),
  // Its access tokens are signed only for a resource server of its own.
  ...(SIGNED_ACCESS_TOKENS === '1' && {
    features: {
      resourceIndicators: {
        enabled: true,
        defaultResource: () => 'https://api.example.com',
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'openid profile',
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  }),
  cookies: { keys: [process.env.SECRET] },
})
provider.listen(Number(PORT), process.env.HOST)
