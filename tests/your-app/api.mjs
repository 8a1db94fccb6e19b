import { createServer } from 'node:http'
import { createRemoteJWKSet, jwtVerify } from 'jose'

const issuer = 'https://id.example.com' // the first of Latchkey's APP_ORIGIN
const audience = 'https://app.example.com' // this app, as CLIENT_ORIGINS lists it
const keys = createRemoteJWKSet(new URL('/.well-known/jwks.json', issuer), { cacheMaxAge: 300_000 })

/** Who sends a request with an access token. Throws unless the token is valid for this app. */
async function whoAsks({ headers }) {
  const [, token = ''] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? []
  const rules = { issuer, audience, algorithms: ['ES256'], typ: 'at+jwt', requiredClaims: ['sub', 'iat', 'exp'] }
  const { payload } = await jwtVerify(token, keys, rules)
  return { id: payload.sub, username: payload.preferred_username }
}

createServer(async (request, response) => {
  try {
    const person = await whoAsks(request)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(person))
  } catch (error) {
    // Latchkey's keys could not be read, which says nothing of the token.
    const isDown = !error.code?.startsWith('ERR_J') || ['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT'].includes(error.code)
    response.writeHead(isDown ? 503 : 401).end()
  }
}).listen(8080, '127.0.0.1')
