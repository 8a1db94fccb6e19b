import { promisify } from 'node:util'
import express from 'express'
import session from 'express-session'
import * as oidc from 'openid-client'

const here = 'https://app.example.com'
const { LATCHKEY_ID, LATCHKEY_SECRET, SESSION_SECRET } = process.env
const latchkey = await oidc.discovery(new URL('https://id.example.com'), LATCHKEY_ID, LATCHKEY_SECRET)

const app = express()
app.set('trust proxy', 1) // https ends at a proxy in front
const cookie = { secure: true, sameSite: 'lax', maxAge: 12 * 3_600_000 }
app.use(session({ name: 'app', secret: SESSION_SECRET, cookie, resave: false, saveUninitialized: false }))

app.get('/', ({ session: { person } }, response) => {
  const signedIn = `Signed in as ${person?.username} <form method="post" action="/sign-out"><button>Sign out</button></form>`
  response.send(person ? signedIn : '<a href="/sign-in">Sign in</a>')
})

app.get('/sign-in', async ({ session }, response) => {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
  const expectedState = oidc.randomState()
  session.checks = { pkceCodeVerifier, expectedState }
  const url = oidc.buildAuthorizationUrl(latchkey, {
    redirect_uri: `${here}/callback`,
    scope: 'openid profile',
    state: expectedState,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
  })
  response.redirect(url.href)
})

app.get('/callback', async (request, response) => {
  // Without checks, the answer is to a question that this browser did not ask.
  if (!request.session.checks) return response.redirect('/')
  // Whoever presses Cancel comes back with an error.
  if (request.query.error) return response.redirect('/')
  const url = new URL(request.originalUrl, here)
  const tokens = await oidc.authorizationCodeGrant(latchkey, url, request.session.checks)
  const { sub: id, preferred_username: username } = tokens.claims()
  // Another session id, so that one which somebody planted before is not signed in.
  await promisify(request.session.regenerate.bind(request.session))()
  request.session.person = { id, username, idToken: tokens.id_token }
  response.redirect('/')
})

app.post('/sign-out', async (request, response) => {
  const { person } = request.session
  await promisify(request.session.destroy.bind(request.session))()
  if (!person) return response.redirect('/')
  const end = { id_token_hint: person.idToken, post_logout_redirect_uri: `${here}/` }
  response.redirect(oidc.buildEndSessionUrl(latchkey, end).href)
})

app.listen(8080, '127.0.0.1')
