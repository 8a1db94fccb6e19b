import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { requireUser, sessions } from './auth.js'

const app = new Hono()
app.use(sessions)

app.get('/', (c) => {
  const user = c.get('user')
  const signedIn = `Signed in as ${user?.username} <form method="post" action="/auth/sign-out"><button>Sign out</button></form>`
  return c.html(user ? signedIn : '<a href="/auth/sign-in">Sign in</a>')
})

app.get('/notes', requireUser(), (c) => c.text(`Notes of ${c.get('user').username}`))

app.get('/family', requireUser({ group: 'family' }), (c) => c.text(`The family of ${c.get('user').username}`))

app.get('/api/notes', requireUser(), (c) => c.json({ owner: c.get('user').id }))

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3000), hostname: '127.0.0.1' })
