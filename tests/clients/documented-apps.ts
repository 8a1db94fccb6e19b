import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { APP, LATCHKEY, readSnippet } from '../support/your-app/snippets'
import type { App } from './apps'
import { folder } from './install'

const packages = {
  'oidc-client-ts': 'oidc-client-ts/dist/esm/oidc-client-ts.js',
  'jwt-decode': 'jwt-decode/build/esm/index.js',
}

/** Serves the browser app of docs/your-app/openid-connect.md, with the packages that a bundler would put into it. */
export async function serveBrowserApp(app: App, latchkey: string) {
  const imports = Object.fromEntries(Object.keys(packages).map((name) => [name, `/${name}.mjs`]))
  const map = `<script type="importmap">${JSON.stringify({ imports })}</script>`
  const files = new Map([
    ['/', readSnippet('browser.html', { '<script': `${map}<script` })],
    ['/browser.mjs', readSnippet('browser.mjs', { [LATCHKEY]: latchkey, "'notes'": `'${app.id}'` })],
  ])
  for (const [name, path] of Object.entries(packages))
    files.set(`/${name}.mjs`, readFileSync(join(folder, 'node_modules', path), 'utf8'))
  await app.serve((request, response) => {
    const { pathname } = new URL(request.url ?? '', app.origin)
    const text = files.get(pathname)
    response.writeHead(text === undefined ? 404 : 200, {
      'Content-Type': pathname === '/' ? 'text/html' : 'text/javascript',
    })
    response.end(text)
  })
}

/** Runs the Express app of docs/your-app/openid-connect.md, without TLS. */
export async function runExpressApp(app: App, latchkey: string) {
  const text = readSnippet('express.mjs', {
    [LATCHKEY]: latchkey,
    [APP]: app.origin,
    'LATCHKEY_SECRET)': 'LATCHKEY_SECRET, undefined, { execute: [oidc.allowInsecureRequests] })',
    'secure: true': 'secure: false',
    '8080': `${app.port}`,
  })
  writeFileSync(join(folder, `express-${app.port}.mjs`), text)
  const secrets = { LATCHKEY_SECRET: app.secret ?? '', SESSION_SECRET: randomBytes(32).toString('base64') }
  await app.run(process.execPath, [`express-${app.port}.mjs`], { LATCHKEY_ID: app.id, ...secrets })
}
