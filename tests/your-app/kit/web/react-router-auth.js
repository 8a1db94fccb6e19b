import { latchkey } from 'latchkey-kit/web'

const { handle, auth, requireUser } = latchkey()

export { auth, requireUser }

// The route `auth/*` of routes.ts: route('auth/*', 'auth.js')
const answer = async ({ request }) => (await handle(request)) ?? new Response(null, { status: 404 })

export { answer as action, answer as loader }
