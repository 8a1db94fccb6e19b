import os
from urllib.parse import urlencode

import django
from authlib.integrations.django_client import OAuth, OAuthError
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect
from django.urls import path
from django.views.decorators.http import require_POST

HERE = os.environ.get('APP_URL', 'https://app.example.com')
ISSUER = os.environ.get('LATCHKEY_ISSUER', 'https://id.example.com')

# An app that exists has these in settings.py, and its sessions in the database.
settings.configure(
    SECRET_KEY=os.environ['SESSION_SECRET'],
    ALLOWED_HOSTS=['*'],
    ROOT_URLCONF=__name__,
    MIDDLEWARE=[
        'django.contrib.sessions.middleware.SessionMiddleware',
        'django.middleware.csrf.CsrfViewMiddleware',
    ],
    INSTALLED_APPS=['django.contrib.sessions'],
    SESSION_ENGINE='django.contrib.sessions.backends.signed_cookies',
    SESSION_COOKIE_AGE=12 * 3600,
    SESSION_COOKIE_SECURE=HERE.startswith('https:'),
    CSRF_COOKIE_SECURE=HERE.startswith('https:'),
    CSRF_TRUSTED_ORIGINS=[HERE],
    AUTHLIB_OAUTH_CLIENTS={
        'latchkey': {
            'client_id': os.environ['LATCHKEY_CLIENT_ID'],
            'client_secret': os.environ['LATCHKEY_CLIENT_SECRET'],
        }
    },
)
django.setup()

latchkey = OAuth().register(
    'latchkey',
    server_metadata_url=f'{ISSUER}/.well-known/openid-configuration',
    client_kwargs={'scope': 'openid profile groups', 'code_challenge_method': 'S256'},
)


def home(request):
    user = request.session.get('user')
    if user is None:
        return HttpResponse('<a href="/sign-in">Sign in</a>')
    token = f'<input type="hidden" name="csrfmiddlewaretoken" value="{get_token(request)}">'
    form = f'<form method="post" action="/sign-out">{token}<button>Sign out</button></form>'
    return HttpResponse(f'Signed in as {user["username"]} {form}')


def notes(request):
    user = request.session.get('user')
    return JsonResponse({'owner': user['id']}) if user else JsonResponse({'error': 'not_signed_in'}, status=401)


def sign_in(request):
    return latchkey.authorize_redirect(request, f'{HERE}/callback')


def callback(request):
    try:
        tokens = latchkey.authorize_access_token(request)
    except OAuthError:
        return redirect('/')
    claims = tokens['userinfo']
    request.session.flush()
    request.session['user'] = {'id': claims['sub'], 'username': claims['preferred_username']}
    request.session['id_token'] = tokens['id_token']
    return redirect('/')


@require_POST
def sign_out(request):
    id_token = request.session.get('id_token')
    request.session.flush()
    if id_token is None:
        return redirect('/')
    end = latchkey.load_server_metadata()['end_session_endpoint']
    return redirect(f'{end}?{urlencode({"id_token_hint": id_token, "post_logout_redirect_uri": f"{HERE}/"})}')


urlpatterns = [
    path('', home),
    path('api/notes', notes),
    path('sign-in', sign_in),
    path('callback', callback),
    path('sign-out', sign_out),
]
application = get_wsgi_application()
