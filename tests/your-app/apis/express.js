import express from 'express'
import { protectedResource } from 'latchkey-kit/api'

const api = protectedResource({
  resource: process.env.API_URL ?? 'https://notes.example.com',
  scopes: ['notes.read', 'notes.write'],
})
const app = express()

// Where a client that knows the API's address alone finds out where to get a token.
app.get(api.path, (_request, response) => response.set('Access-Control-Allow-Origin', '*').json(api.metadata()))

// An error of verify has the status and headers that Express answers with.
app.get('/notes', async (request, response) => {
  const user = await api.verify(request, 'notes.read')
  response.json({ owner: user.id })
})

app.listen(process.env.PORT ?? 8080, '127.0.0.1')
