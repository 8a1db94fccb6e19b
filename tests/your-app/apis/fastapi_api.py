import os
from typing import Annotated

import jwt
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

ISSUER = os.environ.get('LATCHKEY_ISSUER', 'https://id.example.com')
API = os.environ.get('API_URL', 'https://notes.example.com')

keys = jwt.PyJWKClient(f'{ISSUER}/.well-known/jwks.json')
bearer = HTTPBearer(auto_error=False)


def allows(scope: str):
    """The claims of a request's access token, which must be for this API and have the scope."""

    def check(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]):
        if credentials is None:
            raise HTTPException(401, headers={'WWW-Authenticate': 'Bearer'})
        token = credentials.credentials
        try:
            # PyJWT does not check the type, by which an ID token differs.
            if jwt.get_unverified_header(token).get('typ') != 'at+jwt':
                raise jwt.InvalidTokenError
            key = keys.get_signing_key_from_jwt(token).key
            claims = jwt.decode(token, key, algorithms=['RS256'], issuer=ISSUER, audience=API)
        except jwt.PyJWKClientConnectionError:
            # Latchkey's keys could not be read, which says nothing of the token.
            raise HTTPException(503)
        except jwt.PyJWTError:
            raise HTTPException(401, headers={'WWW-Authenticate': 'Bearer error="invalid_token"'})
        if scope not in claims.get('scope', '').split():
            raise HTTPException(403, headers={'WWW-Authenticate': f'Bearer error="insufficient_scope", scope="{scope}"'})
        return claims

    return check


app = FastAPI()


@app.get('/notes')
def notes(claims: Annotated[dict, Depends(allows('notes.read'))]):
    return {'owner': claims['sub']}
