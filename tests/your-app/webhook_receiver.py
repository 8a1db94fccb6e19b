import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

key = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"))

class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        id, sent = self.headers["webhook-id"], self.headers["webhook-timestamp"]
        body = self.rfile.read(int(self.headers["content-length"]))
        digest = hmac.new(key, f"{id}.{sent}.".encode() + body, hashlib.sha256).digest()
        right = "v1," + base64.b64encode(digest).decode()
        signed = any(hmac.compare_digest(right, one) for one in self.headers["webhook-signature"].split())
        genuine = signed and abs(time.time() - int(sent)) < 300
        if genuine:
            event = json.loads(body)
            print(id, event["type"], json.dumps(event["data"]), flush=True)
        self.send_response(204 if genuine else 401)
        self.end_headers()

HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Receiver).serve_forever()
