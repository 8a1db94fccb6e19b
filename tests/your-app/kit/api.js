import express from 'express'
import { verifyAccessToken } from 'latchkey-kit/api'

const app = express()

// An error of verifyAccessToken has the status and headers that Express answers with.
app.get('/notes', async (request, response) => {
  const user = await verifyAccessToken(request, { audience: 'https://app.example.com' })
  response.json({ owner: user.id })
})

app.listen(process.env.PORT ?? 8080, '127.0.0.1')
