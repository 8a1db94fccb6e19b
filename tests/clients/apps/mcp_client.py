"""A program of one's own: it prints where its person allows it in, and what the tool says. Each line of input asks once more."""

import asyncio
import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs

import httpx2
from mcp import Client
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientMetadata

SERVER, PORT = os.environ['MCP_SERVER'], int(os.environ['PORT'])
answers = []


class Callback(BaseHTTPRequestHandler):
    def do_GET(self):
        path, _, query = self.path.partition('?')
        # Browsers ask for an icon, too.
        if path == '/callback':
            answers.append({name: value for name, [value] in parse_qs(query).items()})
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'Close this page.')

    def log_message(self, *_):
        pass


class Storage:
    tokens = client = None

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


async def open_page(url: str):
    print(f'open {url}', flush=True)


callbacks = HTTPServer(('127.0.0.1', PORT), Callback)


async def answer() -> AuthorizationCodeResult:
    while not answers:
        await asyncio.to_thread(callbacks.handle_request)
    return AuthorizationCodeResult(**answers.pop())


async def main():
    storage = Storage()
    for _ in sys.stdin:
        provider = OAuthClientProvider(
            server_url=SERVER,
            client_metadata=OAuthClientMetadata(redirect_uris=[f'http://127.0.0.1:{PORT}/callback']),
            storage=storage,
            redirect_handler=open_page,
            callback_handler=answer,
            client_metadata_url=os.environ['CLIENT_ID'],
        )
        async with httpx2.AsyncClient(auth=provider) as http_client:
            async with Client(streamable_http_client(SERVER, http_client=http_client)) as client:
                [tool] = (await client.list_tools()).tools
                result = await client.call_tool(tool.name, {})
                print(result.content[0].text, flush=True)
        # As if its time were over.
        storage.tokens.access_token = 'over'


asyncio.run(main())
