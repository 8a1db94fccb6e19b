import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { AccessTokenError, protectedResource } from 'latchkey-kit/api'

const api = protectedResource({
  resource: process.env.API_URL ?? 'https://notes.example.com',
  scopes: ['notes.read', 'notes.write'],
})
const app = new Hono()

// Where a client that knows the API's address alone finds out where to get a token.
app.get(api.path, (c) => c.json(api.metadata(), 200, { 'Access-Control-Allow-Origin': '*' }))

app.get('/notes', async (c) => {
  const user = await api.verify(c.req.raw, 'notes.read')
  return c.json({ owner: user.id })
})

app.onError((error) => {
  if (error instanceof AccessTokenError) return error.getResponse()
  throw error
})

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 8080), hostname: '127.0.0.1' })
