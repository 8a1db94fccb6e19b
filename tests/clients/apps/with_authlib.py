"""An app that signs people in with Authlib."""

import hashlib
import os
import secrets
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlencode

import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt
from authlib.oidc.core import CodeIDToken

APP, ISSUER = os.environ['APP'], os.environ['ISSUER']
CLIENT = (os.environ['CLIENT_ID'], os.environ['CLIENT_SECRET'])
latchkey = requests.get(f'{ISSUER}/.well-known/openid-configuration', timeout=10).json()
keys = JsonWebKey.import_key_set(requests.get(latchkey['jwks_uri'], timeout=10).json())
sessions = {}


def open_session(**options):
    return OAuth2Session(*CLIENT, redirect_uri=f'{APP}/callback', code_challenge_method='S256', **options)


class App(BaseHTTPRequestHandler):
    def do_GET(self):
        cookie = SimpleCookie(self.headers.get('Cookie', '')).get('app')
        self.known = sessions.get(cookie.value if cookie else None, {})
        pages = {
            '/': self.home,
            '/sign-in': self.sign_in,
            '/callback': self.callback,
            '/refresh': self.refresh,
            '/sign-out': self.sign_out,
            '/signed-out': lambda: self.begin({}, '/'),
        }
        pages.get(self.path.partition('?')[0], lambda: self.send_error(404))()

    def home(self):
        body = '<p>Nobody is signed in.</p><a href="/sign-in">Sign in</a>'
        if 'token' in self.known:
            digest = hashlib.sha256(self.known['token']['access_token'].encode()).hexdigest()
            body = (
                f'<p>Signed in as <b>{self.known["username"]}</b>, <i>{self.known["sub"]}</i>, with <code>{digest}</code></p>'
                '<a href="/refresh">Refresh</a> <a href="/sign-out">Sign out</a>'
            )
        self.send_response(200)
        self.send_header('Content-Type', 'text/html')
        self.end_headers()
        self.wfile.write(f'<!doctype html><title>App</title>{body}'.encode())

    def begin(self, session, location):
        name = secrets.token_urlsafe()
        sessions[name] = session
        self.send_response(302)
        self.send_header('Set-Cookie', f'app={name}; HttpOnly; SameSite=Lax; Path=/')
        self.send_header('Location', location)
        self.end_headers()

    def sign_in(self):
        verifier, nonce = secrets.token_urlsafe(48), secrets.token_urlsafe()
        session = open_session(scope='openid profile offline_access')
        address = latchkey['authorization_endpoint']
        location, state = session.create_authorization_url(address, code_verifier=verifier, nonce=nonce)
        self.begin({'verifier': verifier, 'nonce': nonce, 'state': state}, location)

    def callback(self):
        session = open_session(state=self.known['state'])
        answer = {'authorization_response': APP + self.path, 'code_verifier': self.known['verifier']}
        token = session.fetch_token(latchkey['token_endpoint'], **answer)
        rules = {'iss': {'essential': True, 'value': ISSUER}, 'aud': {'essential': True, 'value': CLIENT[0]}}
        expected = {'nonce': self.known['nonce'], 'client_id': CLIENT[0], 'access_token': token['access_token']}
        claims = jwt.decode(token['id_token'], keys, CodeIDToken, rules, expected)
        claims.validate()
        self.show(session, token, claims['sub'])

    def refresh(self):
        session = open_session(token=self.known['token'])
        token = session.refresh_token(latchkey['token_endpoint'])
        self.show(session, token, self.known['sub'])

    def show(self, session, token, sub):
        claims = session.get(latchkey['userinfo_endpoint']).json()
        assert claims['sub'] == sub
        self.begin({'token': token, 'sub': sub, 'username': claims['preferred_username']}, '/')

    def sign_out(self):
        token = self.known['token']
        session = open_session(token=token)
        session.revoke_token(latchkey['revocation_endpoint'], token['refresh_token'], 'refresh_token').raise_for_status()
        end = {'id_token_hint': token['id_token'], 'post_logout_redirect_uri': f'{APP}/signed-out'}
        self.begin({}, f'{latchkey["end_session_endpoint"]}?{urlencode(end)}')


ThreadingHTTPServer(('127.0.0.1', int(os.environ['PORT'])), App).serve_forever()
