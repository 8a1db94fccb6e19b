// A receiver of webhooks that takes everything.
import { createServer } from 'node:http'

createServer((request, response) => {
  request.resume()
  request.once('end', () => response.end())
}).listen(Number(process.env.PORT), '127.0.0.1')
