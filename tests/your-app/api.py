import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import jwt

ISSUER = 'https://id.example.com'  # the first of Latchkey's APP_ORIGIN
AUDIENCE = 'https://app.example.com'  # this app, as CLIENT_ORIGINS lists it


class Unavailable(Exception):
    """Latchkey's keys could not be read, which says nothing of the token."""


class Keys(jwt.PyJWKClient):
    def fetch_data(self):
        # What PyJWT raises depends on its version, and may be a PyJWTError, as for a bad token.
        try:
            return super().fetch_data()
        except Exception as error:
            raise Unavailable from error


keys = Keys(f'{ISSUER}/.well-known/jwks.json')


def who_asks(authorization):
    """Who sends a request with an access token. Raises PyJWTError unless the token is valid for this app, or Unavailable."""
    scheme, _, token = authorization.partition(' ')
    # PyJWT does not check the type, by which other tokens differ from this one.
    if scheme.lower() != 'bearer' or jwt.get_unverified_header(token).get('typ') != 'at+jwt':
        raise jwt.InvalidTokenError('no access token')
    key = keys.get_signing_key_from_jwt(token).key
    required = {'require': ['iss', 'aud', 'sub', 'iat', 'exp']}
    claims = jwt.decode(token, key, algorithms=['ES256'], issuer=ISSUER, audience=AUDIENCE, options=required)
    return {'id': claims['sub'], 'username': claims['preferred_username']}


class Api(BaseHTTPRequestHandler):
    def do_GET(self):
        try:
            status, person = 200, who_asks(self.headers.get('Authorization', ''))
        except Unavailable:
            status, person = 503, {'error': 'unavailable'}
        except jwt.PyJWTError:
            status, person = 401, {'error': 'not signed in'}
        self.send_response(status)
        self.send_header('Content-Type', 'application/json')
        self.end_headers()
        self.wfile.write(json.dumps(person).encode())


ThreadingHTTPServer(('127.0.0.1', 8080), Api).serve_forever()
