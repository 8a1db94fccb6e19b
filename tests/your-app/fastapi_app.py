import os
from urllib.parse import urlencode

from authlib.integrations.starlette_client import OAuth, OAuthError
from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.middleware.sessions import SessionMiddleware

HERE = os.environ.get('APP_URL', 'https://app.example.com')
ISSUER = os.environ.get('LATCHKEY_ISSUER', 'https://id.example.com')

app = FastAPI()
# A signed cookie, which its owner can read: keep no secrets in it.
app.add_middleware(
    SessionMiddleware,
    secret_key=os.environ['SESSION_SECRET'],
    https_only=HERE.startswith('https:'),
    max_age=12 * 3600,
)
latchkey = OAuth().register(
    'latchkey',
    server_metadata_url=f'{ISSUER}/.well-known/openid-configuration',
    client_id=os.environ['LATCHKEY_CLIENT_ID'],
    client_secret=os.environ['LATCHKEY_CLIENT_SECRET'],
    client_kwargs={'scope': 'openid profile groups', 'code_challenge_method': 'S256'},
)


def signed_in(request: Request) -> dict:
    user = request.session.get('user')
    if user is None:
        raise HTTPException(401)
    return user


@app.get('/', response_class=HTMLResponse)
def home(request: Request):
    user = request.session.get('user')
    if user is None:
        return '<a href="/sign-in">Sign in</a>'
    return f'Signed in as {user["username"]} <form method="post" action="/sign-out"><button>Sign out</button></form>'


@app.get('/api/notes')
def notes(user: dict = Depends(signed_in)):
    return {'owner': user['id']}


@app.get('/sign-in')
async def sign_in(request: Request):
    # Authlib keeps state, nonce and PKCE verifier in the session, and checks the answer against them.
    return await latchkey.authorize_redirect(request, f'{HERE}/callback')


@app.get('/callback')
async def callback(request: Request):
    try:
        tokens = await latchkey.authorize_access_token(request)
    except OAuthError:
        # Whoever presses Cancel comes back with an error.
        return RedirectResponse('/')
    claims = tokens['userinfo']  # of the ID token, whose signature Authlib has verified
    user = {'id': claims['sub'], 'username': claims['preferred_username'], 'groups': claims.get('groups', [])}
    request.session.clear()
    request.session.update(user=user, id_token=tokens['id_token'])
    return RedirectResponse('/')


@app.post('/sign-out')
async def sign_out(request: Request):
    id_token = request.session.pop('id_token', None)
    request.session.clear()
    if id_token is None:
        return RedirectResponse('/', 303)
    end = (await latchkey.load_server_metadata())['end_session_endpoint']
    query = urlencode({'id_token_hint': id_token, 'post_logout_redirect_uri': f'{HERE}/'})
    return RedirectResponse(f'{end}?{query}', 303)
