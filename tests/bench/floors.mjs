// What the figures are divided by: the least that the platform can do.
import { execFileSync } from 'node:child_process'
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { onceFor } from '../support/project/once-for.mjs'
import { environment, folder, start } from './servers.mjs'
import { freePort, root } from './support.mjs'

const next = 'node_modules/next/dist/bin/next'

const files = {
  'package.json': '{"private":true}',
  // Another lock file, further up, must not move it.
  'next.config.mjs': 'export default { turbopack: { root: import.meta.dirname } }\n',
  // Next prerenders no route file unless told to. A POST costs it about a tenth more.
  'app/c/route.js': 'export const GET = () => Response.json({ ok: true })\n',
  'app/layout.js': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>\n',
  // Dynamic like the product's pages, whose nonce is new each time; without a client component, so that all script is Next's.
  'app/page/page.js': `export const dynamic = 'force-dynamic'
export const metadata = { icons: 'data:,' }
export default () => <main>{'A page'}</main>
`,
}

/** Builds and starts a Next application with a route, `/c`, and a page, `/page`, that answer a constant. */
export async function startConstant() {
  // Kept from run to run.
  const app = join(root, 'build/constant')
  mkdirSync(app, { recursive: true })
  const { version } = JSON.parse(readFileSync(join(root, 'node_modules/next/package.json'), 'utf8'))
  onceFor(app, 'build', [version, JSON.stringify(files)], () => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(app, name, '..'), { recursive: true })
      writeFileSync(join(app, name), text)
    }
    linkTree(join(root, 'node_modules'), join(app, 'node_modules'))
    execFileSync(process.execPath, [next, 'build'], {
      cwd: app,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: environment({}),
    })
  })
  const port = await freePort()
  return start({ cwd: app, words: [next, 'start', '-H', '127.0.0.1', '-p', String(port)], path: '/page', port })
}

/**
 * Links each file of a folder into another. Turbopack follows no symbolic link out of its root, and a root that holds the
 * repository would have the product's own proxy and instrumentation.
 *
 * @param {string} from @param {string} to
 */
function linkTree(from, to) {
  rmSync(to, { recursive: true, force: true })
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) linkTree(source, target)
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target)
    else linkSync(source, target)
  }
}

/** A server of node:http that reads a body and answers with a constant of the size of `/api/i`. */
export async function startBare() {
  const file = join(folder, 'bare.mjs')
  writeFileSync(
    file,
    `import { createServer } from 'node:http'
const body = JSON.stringify({ constant: 'x'.repeat(500) })
const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }
createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, headers).end(body))
}).listen(Number(process.env.PORT), '127.0.0.1')
`,
  )
  const port = await freePort()
  return start({ cwd: folder, words: [file], path: '/', port, settings: { PORT: String(port) } })
}
