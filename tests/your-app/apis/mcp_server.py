import asyncio
import os

import jwt
from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import AccessToken, TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.mcpserver import MCPServer

ISSUER = os.environ.get('LATCHKEY_ISSUER', 'https://id.example.com')
API = os.environ.get('API_URL', 'https://notes.example.com/mcp')


class Verifier(TokenVerifier):
    keys = jwt.PyJWKClient(f'{ISSUER}/.well-known/jwks.json')

    async def verify_token(self, token: str) -> AccessToken | None:
        try:
            # PyJWT does not check the type, by which an ID token differs.
            if jwt.get_unverified_header(token).get('typ') != 'at+jwt':
                return None
            key = await asyncio.to_thread(self.keys.get_signing_key_from_jwt, token)
            claims = jwt.decode(token, key.key, algorithms=['RS256'], issuer=ISSUER, audience=API)
        except jwt.PyJWTError:
            return None
        return AccessToken(
            token=token,
            client_id=claims['client_id'],
            scopes=claims['scope'].split(),
            expires_at=claims['exp'],
            resource=claims['aud'],
            subject=claims['sub'],
        )


server = MCPServer(
    'notes',
    token_verifier=Verifier(),
    auth=AuthSettings(
        issuer_url=ISSUER,
        resource_server_url=API,
        required_scopes=['notes.read'],
        validate_token_resource=True,
    ),
)


@server.tool()
def whose_notes() -> str:
    """Says whose notes these are."""
    return f'The notes of {get_access_token().subject}'


server.run('streamable-http', port=int(os.environ.get('PORT', '8080')))
