// better-auth as its documentation sets it up: an application of Next of its own, in a folder of its own, on an embedded
// database that waits for the disk as Latchkey's does. Passwords are hashed by its own scrypt, as it ships.
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, folder, freePort, root, start } from './servers.mjs'

const product = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).dependencies

/** The same Next and React as the product's, so that only what stands on them differs. */
export const packages = {
  'better-auth': '1.7.6',
  // Its plugin asks for exactly these, while npm would take the newest core, which asks for others.
  '@better-auth/core': '1.7.6',
  '@better-auth/utils': '0.4.2',
  '@better-auth/passkey': '1.7.6',
  'better-sqlite3': '12.11.1',
  next: product.next,
  react: product.react,
  'react-dom': product['react-dom'],
}

const files = {
  'package.json': JSON.stringify({ private: true, type: 'module', dependencies: packages }),
  'next.config.mjs': `export default { serverExternalPackages: ['better-sqlite3'], turbopack: { root: import.meta.dirname } }\n`,
  'lib/auth.js': `import { betterAuth } from 'better-auth'
import { passkey } from '@better-auth/passkey'
import Database from 'better-sqlite3'

const database = new Database(process.env.DATABASE_FILE)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
const baseURL = process.env.ORIGIN

export const auth = betterAuth({
  database,
  baseURL,
  secret: process.env.SECRET,
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  plugins: [passkey({ rpID: 'localhost', rpName: 'Peer', origin: baseURL })],
})
`,
  'migrate.mjs': `import { getMigrations } from 'better-auth/db/migration'
import { auth } from './lib/auth.js'
const { runMigrations } = await getMigrations(auth.options)
await runMigrations()
`,
  'lib/client.js': `'use client'
import { passkeyClient } from '@better-auth/passkey/client'
import { createAuthClient } from 'better-auth/react'
export const client = createAuthClient({ plugins: [passkeyClient()] })
`,
  'app/api/auth/[...all]/route.js': `import { toNextJsHandler } from 'better-auth/next-js'
import { auth } from '../../../../lib/auth.js'
export const { GET, POST } = toNextJsHandler(auth)
`,
  'app/layout.js': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>\n',
  'app/signin/page.js': `import { SignIn } from './sign-in.js'
export const dynamic = 'force-dynamic'
export const metadata = { icons: 'data:,' }
export default () => <main><h1>Sign in</h1><SignIn /></main>
`,
  // Both ways in, and passkeys in the browser's autofill: what Latchkey's page does, without its design.
  'app/signin/sign-in.js': `'use client'
import { useEffect, useState } from 'react'
import { client } from '../../lib/client.js'

export function SignIn() {
  const [error, setError] = useState('')
  useEffect(() => {
    PublicKeyCredential.isConditionalMediationAvailable?.().then((can) => can && client.signIn.passkey({ autoFill: true }))
  }, [])
  async function submit(event) {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const { error } = await client.signIn.email({ email: form.get('email'), password: form.get('password') })
    setError(error?.message ?? '')
  }
  return (
    <form onSubmit={submit}>
      <label>Email <input name="email" type="email" autoComplete="username webauthn" /></label>
      <label>Password <input name="password" type="password" autoComplete="current-password" /></label>
      <button type="submit">Sign in</button>
      <button type="button" onClick={() => client.signIn.passkey()}>Sign in with a passkey</button>
      <p role="status">{error}</p>
    </form>
  )
}
`,
}

const program = 'node_modules/next/dist/bin/next'

/** Installs and builds it. @returns a function that starts it on its database */
export async function buildBetterAuth() {
  const app = join(folder, 'better-auth')
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(app, name, '..'), { recursive: true })
    writeFileSync(join(app, name), text)
  }
  const port = await freePort()
  const settings = {
    DATABASE_FILE: join(app, 'peer.db'),
    ORIGIN: `http://localhost:${port}`,
    SECRET: randomBytes(32).toString('base64'),
    BETTER_AUTH_TELEMETRY: '0',
  }
  const run = (/** @type {string} */ command, /** @type {string[]} */ ...words) =>
    execFileSync(command, words, { cwd: app, stdio: ['ignore', 'ignore', 'inherit'], env: environment(settings) })
  // The machine's own settings of npm, such as its registry, apply; NODE_ENV=production leaves nothing out that is needed.
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: app, stdio: 'inherit' })
  run(process.execPath, 'migrate.mjs')
  run(process.execPath, program, 'build')
  return async () => {
    const words = [program, 'start', '-H', '127.0.0.1', '-p', String(port)]
    // By then it has loaded the library and opened the database, as Latchkey has when it says that it is healthy.
    const server = await start({ cwd: app, words, path: '/api/auth/get-session', port, settings })
    return { ...server, origin: settings.ORIGIN }
  }
}
