// Uses a server as its visitors do, for scripts/image.sh: a sign-up needs the hash worker, the database and the signing key, a
// page needs Next. Telemetry has seen both. A logo and an accent show without a build of their own.
const { PORT, USERNAME, METRICS, APP_ACCENT, APP_LOGO } = process.env
const origin = `http://127.0.0.1:${PORT}`

const signUp = await fetch(`${origin}/api/signup`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ username: USERNAME, password: 'correct horse' }),
})
const page = await fetch(`${origin}/signin`)
if (!signUp.ok || !page.ok) throw new Error(`${signUp.status}, ${page.status}`)

const isBranded = (await page.text()).includes(`--accent:${APP_ACCENT};`) && (await fetch(`${origin}/brand/logo`)).ok
if (isBranded !== Boolean(APP_LOGO)) throw new Error(`branded: ${isBranded}`)

const metrics = METRICS ? await (await fetch(METRICS)).text() : ''
if (METRICS && !/^latchkey_sign_ups_total 1$/m.test(metrics)) throw new Error(metrics)
