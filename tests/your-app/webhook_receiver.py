import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

class Receiver(BaseHTTPRequestHandler):
    timeout = 10  # seconds, for a sender that stops in the middle

    def do_POST(self):
        id, sent, signatures, length = (
            self.headers.get(name, "")
            for name in ("webhook-id", "webhook-timestamp", "webhook-signature", "content-length")
        )
        # Latchkey always sends Content-Length, and never a million bytes.
        body = self.rfile.read(int(length)) if length.isdecimal() and len(length) < 7 else b""
        digest = hmac.new(key, f"{id}.{sent}.".encode() + body, hashlib.sha256).digest()
        right = b"v1," + base64.b64encode(digest)
        signed = any(hmac.compare_digest(right, one) for one in signatures.encode().split())
        genuine = signed and abs(time.time() - int(sent)) < 300
        if genuine:
            event = json.loads(body)
            print(id, event["type"], json.dumps(event["data"]), flush=True)
        self.send_response(204 if genuine else 401)
        self.end_headers()

ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
