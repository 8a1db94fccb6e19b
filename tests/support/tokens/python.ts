import { spawnSync } from 'node:child_process'
import { isMissing } from '../programs'

/** A Python of another origin may stand before Debian's in the path. */
const found = ['python3', '/usr/bin/python3'].find(
  (python) => spawnSync(python, ['-c', 'import jwt, cryptography'], { stdio: 'ignore' }).status === 0,
)

/** A Python that has PyJWT. */
export const python = found ?? 'python3'

export const withoutPython = isMissing(
  found !== undefined,
  'access tokens in Python, which need the packages python3-jwt and python3-cryptography',
)

const program = `
import json, sys, jwt
url, issuer, audience, token = sys.argv[1:]
if jwt.get_unverified_header(token).get('typ') != 'at+jwt':
    sys.exit('WrongType')
try:
    key = jwt.PyJWKClient(url).get_signing_key_from_jwt(token).key
    options = {'require': ['exp', 'iat', 'sub', 'aud', 'iss']}
    print(json.dumps(jwt.decode(token, key, algorithms=['ES256'], audience=audience, issuer=issuer, options=options)))
except jwt.PyJWTError as error:
    sys.exit(type(error).__name__)
`

/** Verifies an access token with PyJWT. @returns the claims, or the name of PyJWT's error */
export function verifyWithPython(server: { url: string; origin: string }, token: string, audience: string) {
  const words = ['-c', program, `${server.url}/.well-known/jwks.json`, server.origin, audience, token]
  const { status, stdout, stderr } = spawnSync(python, words, { encoding: 'utf8' })
  return status === 0 ? JSON.parse(stdout) : stderr.trim()
}
