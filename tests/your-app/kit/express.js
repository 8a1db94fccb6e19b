import express from 'express'
import { requireUser, sessions } from './auth.js'

const app = express()
app.use(sessions)

app.get('/', ({ user }, response) => {
  const signedIn = `Signed in as ${user?.username} <form method="post" action="/auth/sign-out"><button>Sign out</button></form>`
  response.send(user ? signedIn : '<a href="/auth/sign-in">Sign in</a>')
})

// Usernames are letters, digits and . _ - only; a display name would have to be escaped.
app.get('/notes', requireUser(), ({ user }, response) => response.send(`Notes of ${user.username}`))

app.get('/family', requireUser({ group: 'family' }), ({ user }, response) =>
  response.send(`The family of ${user.username}`),
)

app.get('/api/notes', requireUser(), ({ user }, response) => response.json({ owner: user.id }))

app.listen(process.env.PORT ?? 3000, '127.0.0.1')
