import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)

createServer(async (request, response) => {
  try {
    // Latchkey always sends Content-Length, and never this much.
    if (!(Number(request.headers['content-length']) < 1_000_000)) throw new Error('too long')
    const { type, data } = webhook.verify(await text(request), request.headers)
    console.log(request.headers['webhook-id'], type, JSON.stringify(data))
    response.writeHead(204).end()
  } catch {
    response.writeHead(401).end()
  }
}).listen(Number(process.env.PORT), '127.0.0.1')
