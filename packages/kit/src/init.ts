import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'

/** Why nothing was written. */
export class InitError extends Error {
  override name = 'InitError'
}

/** A file as it will be, and as it is; null where there is none. */
export interface Change {
  path: string
  before: string | null
  after: string
  /** Only the person who runs this may read it */
  secret?: boolean
}

export interface Plan {
  changes: Change[]
  /** What is left to do by hand, and how to start */
  next: string
}

interface App {
  folder: string
  framework: 'next' | 'express' | 'hono'
  name: string
  origin: string
  typescript: boolean
  modules: boolean
  /** Runs on Node, which reads no file of settings by itself */
  onNode: boolean
}

/** What `init` writes into a folder. Changes nothing. @throws InitError */
export function plan(folder: string, port?: number): Plan {
  const app = readApp(folder, port)
  if (gitTracks(folder))
    throw new InitError(
      'git tracks .env.local, and would take the secrets in. Run `git rm --cached .env.local`, then this again. Nothing was written.',
    )
  const read = (path: string) => {
    try {
      return readFileSync(join(folder, path), 'utf8')
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT') return null
      throw new InitError(`${path} cannot be read: ${(error as Error).message}. Nothing was written.`)
    }
  }
  const { files, next } = app.framework === 'next' ? nextFiles(app) : serverFiles(app)
  const settings = settingsFile(app, read('.env.local'))
  const all: Change[] = [
    ...files.map(([path, after]) => ({ path, before: read(path), after })),
    settings.change,
    {
      path: 'latchkey.json',
      before: read('latchkey.json'),
      after: latchkeyFile(app, settings.clientId, read('latchkey.json')),
    },
    { path: 'AGENTS.md', before: read('AGENTS.md'), after: agentsFile(app, read('AGENTS.md')) },
    { path: '.gitignore', before: read('.gitignore'), after: ignoreFile(folder, read('.gitignore')) },
  ]
  const own = new Set(files.map(([path]) => path))
  const different = all.filter(({ path, before, after }) => own.has(path) && before !== null && before !== after)
  if (different.length > 0)
    throw new InitError(
      `${different.map(({ path, before, after }) => `${path} is here already, and differs:\n${difference(before ?? '', after)}`).join('\n')}\nNothing was written. Make them alike, or move them away, and run this again.`,
    )
  const changes = all
    .filter(({ before, after }) => before !== after)
    .map((change) => ({ ...change, path: join(folder, change.path) }))
  return { changes, next }
}

function readApp(folder: string, port?: number): App {
  const path = join(folder, 'package.json')
  if (!existsSync(path)) throw new InitError('There is no package.json here. Run this in the folder of an app.')
  let manifest: Manifest
  try {
    manifest = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new InitError(`package.json cannot be read: ${(error as Error).message}`)
  }
  const packages = { ...manifest.dependencies, ...manifest.devDependencies }
  const framework = (['next', 'express', 'hono'] as const).find((name) => name in packages)
  if (!framework)
    throw new InitError(
      'package.json has neither next nor express nor hono. For another framework, use latchkey-kit/web: its page has an example for SvelteKit, React Router and Astro.',
    )
  const scripts = Object.values(manifest.scripts ?? {}).join('\n')
  const [, said] = /\bnext (?:dev|start)\b.*?(?:-p|--port)[ =](\d+)/.exec(scripts) ?? []
  return {
    folder,
    framework,
    name: (manifest.name ?? basename(folder)).replace(/^@[^/]+\//, '') || 'app',
    origin: `http://localhost:${port ?? said ?? 3000}`,
    typescript: existsSync(join(folder, 'tsconfig.json')),
    modules: manifest.type === 'module',
    onNode: framework === 'express' || '@hono/node-server' in packages,
  }
}

interface Manifest {
  name?: string
  type?: string
  scripts?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

function nextFiles({ folder, typescript, origin }: App) {
  const extension = typescript ? 'ts' : 'js'
  const root = existsSync(join(folder, 'src/app')) ? 'src/' : ''
  if (!existsSync(join(folder, root, 'app')))
    throw new InitError('There is no folder app or src/app here: latchkey-kit/next is for the App Router.')
  const files: [string, string][] = [
    [
      `${root}auth.${extension}`,
      `import { latchkey } from 'latchkey-kit/next'

export const { auth, requireUser, withUser, handlers, proxy } = latchkey()
`,
    ],
    [
      `${root}app/auth/[...latchkey]/route.${extension}`,
      `import { handlers } from '../../../auth'

export const { GET, POST } = handlers
`,
    ],
  ]
  const next = `In a page that only signed-in people may see (adapt the path to ${root}auth):

  import { requireUser } from '../auth'

  export default async function Page() {
    const user = await requireUser()
    return <p>Signed in as {user.username}</p>
  }

With cacheComponents in next.config, the layout needs a boundary: <Suspense>{children}</Suspense>
To come back to the same page after the sign-in, proxy.${extension} needs: export { proxy } from './auth'

To sign in and out: <a href="/auth/sign-in">Sign in</a>, and
<form method="post" action="/auth/sign-out"><button>Sign out</button></form>

${start(origin)}`
  return { files, next }
}

function serverFiles({ folder, framework, typescript, modules, onNode, origin }: App) {
  const root = existsSync(join(folder, 'src')) ? 'src/' : ''
  const isModule = modules || typescript
  const path = `${root}auth.${typescript ? 'ts' : 'js'}`
  const load = `// In production the settings come from the environment.
if (existsSync('.env.local')) process.loadEnvFile('.env.local')

`
  const from = `latchkey-kit/${framework}`
  const text = isModule
    ? `${onNode ? "import { existsSync } from 'node:fs'\n" : ''}import { latchkey, requireUser } from '${from}'

${onNode ? load : ''}export const sessions = latchkey()
export { requireUser }
`
    : `const { existsSync } = require('node:fs')
const { latchkey, requireUser } = require('${from}')

${load}exports.sessions = latchkey()
exports.requireUser = requireUser
`
  const example = {
    express: `app.use(sessions)
  app.get('/notes', requireUser(), (request, response) => {
    response.send(\`Signed in as \${request.user.username}\`)
  })`,
    hono: `app.use(sessions)
  app.get('/notes', requireUser(), (c) => c.text(\`Signed in as \${c.get('user').username}\`))`,
  }[framework as 'express' | 'hono']
  const next = `In the app, before its routes:

  ${isModule ? "import { requireUser, sessions } from './auth.js'" : "const { requireUser, sessions } = require('./auth.js')"}

  ${example}

To sign in and out: <a href="/auth/sign-in">Sign in</a>, and
<form method="post" action="/auth/sign-out"><button>Sign out</button></form>

${start(origin)}`
  return { files: [[path, text]] as [string, string][], next }
}

const start = (origin: string) => `Start Latchkey with: npx latchkey dev
Then the app, which must listen at ${origin}, and open http://localhost:3002/as/ada?to=${origin}/auth/sign-in
`

/** The settings that are missing; what stands is kept. */
function settingsFile({ name }: App, before: string | null): { change: Change; clientId: string } {
  const standing = new Map(
    [...(before ?? '').matchAll(/^\s*(?:export\s+)?(LATCHKEY_\w+)\s*=\s*(.*?)\s*$/gm)].map(
      ([, key = '', value = '']) => [key, value.replace(/^(["'])(.*)\1$/, '$2')],
    ),
  )
  const id = name
    .toLowerCase()
    .replace(/[^a-z\d._-]/g, '-')
    .slice(0, 64)
  const wanted = {
    LATCHKEY_ISSUER: 'http://localhost:3001',
    LATCHKEY_CLIENT_ID: id,
    LATCHKEY_CLIENT_SECRET: randomBytes(32).toString('base64url'),
    LATCHKEY_SESSION_SECRET: randomBytes(32).toString('base64url'),
  }
  const missing = Object.entries(wanted).filter(([key]) => !standing.get(key))
  const lines = missing.map(([key, value]) => `${key}=${value}\n`).join('')
  // The last of two lines counts, so that an empty one above does no harm.
  const after = missing.length === 0 ? (before ?? '') : `${withLineEnd(before ?? '')}${lines}`
  return {
    change: { path: '.env.local', before, after, secret: true },
    clientId: standing.get('LATCHKEY_CLIENT_ID') || id,
  }
}

/** The entry of the app in the file that `latchkey dev` applies; a new file has people, too. */
function latchkeyFile({ name, origin }: App, clientId: string, before: string | null): string {
  const entry = {
    id: clientId,
    name,
    redirectUris: [`${origin}/auth/callback`],
    signOutUris: [`${origin}/`],
    // The developer's own app asks nobody for consent.
    trusted: true,
    secret: { env: 'LATCHKEY_CLIENT_SECRET' },
  }
  const people = [
    { username: 'ada', displayName: 'Ada Lovelace', email: 'ada@example.com', groups: ['family'] },
    { username: 'ben', displayName: 'Ben' },
  ]
  if (before === null) return `${JSON.stringify({ apps: [entry], people }, null, 2)}\n`
  let file: { apps?: { id?: string; redirectUris?: string[] }[] }
  try {
    file = JSON.parse(before)
  } catch (error) {
    throw new InitError(`latchkey.json is no JSON: ${(error as Error).message}. Nothing was written.`)
  }
  if (typeof file !== 'object' || file === null || !Array.isArray(file.apps ?? []))
    throw new InitError('latchkey.json must be an object whose "apps" are a list. Nothing was written.')
  const same = file.apps?.find((app) => app?.id === clientId)
  if (same) {
    const [wanted = ''] = entry.redirectUris
    if (same.redirectUris?.includes(wanted)) return before
    throw new InitError(
      `latchkey.json has an app "${clientId}" already, and it differs:\n${difference(JSON.stringify(same, null, 2), JSON.stringify(entry, null, 2))}\nNothing was written. Add ${wanted} to its redirectUris, and run this again.`,
    )
  }
  const indent = /^([ \t]+)"/m.exec(before)?.[1] ?? 2
  return `${JSON.stringify({ ...file, apps: [...(file.apps ?? []), entry] }, null, indent)}\n`
}

function agentsFile({ origin }: App, before: string | null): string {
  if (before?.includes('localhost:3002/as/')) return before
  const line = `To be signed in as ada: curl -sL -c jar -b jar 'http://localhost:3002/as/ada?to=${origin}/auth/sign-in?next=/', or open that address in a browser. \`npx latchkey dev\` must run.\n`
  return before === null ? line : `${withLineEnd(before)}\n${line}`
}

/** Git must not take in the secrets of `.env.local`. */
function ignoreFile(folder: string, before: string | null): string {
  const isIgnored = gitIgnores(folder) ?? /^\/?\.env(\*|\.\*|\.local|\*\.local|\.\*\.local)\s*$/m.test(before ?? '')
  return isIgnored ? (before ?? '') : `${withLineEnd(before ?? '')}.env.local\n`
}

/** An ignore line does nothing for a file that git tracks. */
function gitTracks(folder: string): boolean {
  try {
    execFileSync('git', ['ls-files', '--error-unmatch', '.env.local'], { cwd: folder, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Null outside of a repository, and without git. */
function gitIgnores(folder: string): boolean | null {
  try {
    execFileSync('git', ['check-ignore', '-q', '.env.local'], { cwd: folder, stdio: 'ignore' })
    return true
  } catch (error) {
    return (error as { status?: number }).status === 1 ? false : null
  }
}

const withLineEnd = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`)

/** What is written, with the values of secrets left out. */
export const shown = (changes: readonly Change[]) =>
  changes
    .map(({ path, before, after, secret }) => {
      const text = secret ? after.replace(/^(LATCHKEY_\w*SECRET=).*$/gm, '$1...') : after
      const old = secret ? (before?.replace(/^(LATCHKEY_\w*SECRET=).*$/gm, '$1...') ?? '') : (before ?? '')
      return `${before === null ? 'New file' : 'Changed'}: ${relative(process.cwd(), path)}\n${difference(old, text)}`
    })
    .join('\n')

/** Lines that only one of the texts has. */
function difference(before: string, after: string): string {
  const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))
  const [old, now] = [linesOf(before), linesOf(after)]
  const gone = old.filter((line) => !now.includes(line)).map((line) => `  - ${line}\n`)
  const added = now.filter((line) => !old.includes(line)).map((line) => `  + ${line}\n`)
  return [...gone, ...added].join('') || '  (only the order of lines, or blank ones, differ)\n'
}

/** Writes all of them or, where one cannot be written, none. */
export function apply(changes: readonly Change[]) {
  const temporary = (path: string) => `${path}.latchkey-${process.pid}`
  const folders: string[] = []
  const renamed: Change[] = []
  try {
    for (const { path, after, secret } of changes) {
      const made = mkdirSync(dirname(path), { recursive: true })
      if (made) folders.push(made)
      const mode = existsSync(path) ? statSync(path).mode & 0o777 : secret ? 0o600 : 0o666
      writeFileSync(temporary(path), after, { flag: 'wx', mode })
    }
    for (const change of changes) {
      renameSync(temporary(change.path), change.path)
      renamed.push(change)
    }
  } catch (error) {
    for (const { path, before } of renamed) {
      if (before === null) rmSync(path, { force: true })
      else writeFileSync(path, before)
    }
    for (const { path } of changes) rmSync(temporary(path), { force: true })
    for (const folder of folders.reverse()) rmSync(folder, { recursive: true, force: true })
    throw new InitError(`Nothing was written: ${(error as Error).message}`)
  }
}
