import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { median } from '../interleave.mjs'
import { quick } from '../options.mjs'
import { environment, startProduct } from '../servers.mjs'
import { freePort } from '../support.mjs'

/** How soon a test that takes latchkey-kit is signed in, one after another. @param {import('../report.mjs').Report} report */
export async function benchKit(report) {
  const port = await freePort()
  const url = `http://localhost:${port}`
  const product = await startProduct(10, { PORT: String(port), APP_ORIGIN: url })
  const { testing, express } = await bundle()
  const app = await startApp(product, express)
  const latchkey = { url }
  const person = await testing.createPerson({ latchkey })

  const goals = [
    { what: 'somebody new with a session, by latchkey-kit', goal: 50, act: () => testing.createPerson({ latchkey }) },
    { what: 'a session, by latchkey-kit', goal: 50, act: () => testing.signIn(person) },
    {
      what: 'a session and an app by OpenID Connect, by latchkey-kit',
      goal: 150,
      act: () => testing.signInTo(app.url, person),
    },
  ]
  for (const { what, goal, act } of goals) {
    const times = []
    // The first twenty warm it up.
    for (let count = quick ? 18 : 0; count < 120; count++) {
      const begun = performance.now()
      await act()
      if (count >= 20) times.push(performance.now() - begun)
    }
    const slowest = Math.max(...times).toFixed(1)
    report.add({
      what,
      against: 'nothing',
      ratio: median(times),
      unit: ' ms',
      better: 'at most',
      goal,
      found: `slowest ${slowest} ms`,
    })
  }
  await testing.deletePeople()
  app.close()
  await product.stop()
}

async function bundle() {
  const outdir = 'build/bench-kit'
  const entryPoints = ['packages/kit/src/testing.ts', 'packages/kit/src/express.ts']
  const outExtension = { '.js': '.mjs' }
  await build({
    entryPoints,
    outdir,
    outExtension,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
  })
  /** @param {string} name */
  const load = (name) => import(pathToFileURL(`${outdir}/${name}.mjs`).href)
  return {
    testing: /** @type {typeof import('../../../packages/kit/src/testing')} */ (await load('testing')),
    express: /** @type {typeof import('../../../packages/kit/src/express')} */ (await load('express')),
  }
}

/** @param {import('../servers.mjs').Product} product @param {typeof import('../../../packages/kit/src/express')} express */
async function startApp({ databaseUrl, secret, origin }, express) {
  const port = await freePort()
  const appUrl = `http://localhost:${port}`
  const words = ['build/accounts.mjs', 'app', 'add', 'Notes', `${appUrl}/auth/callback`, '--json']
  const env = environment({ DATABASE_URL: databaseUrl, JWT_SECRET: secret, APP_ORIGIN: origin })
  const added = JSON.parse(execFileSync(process.execPath, words, { env, encoding: 'utf8', stdio: 'pipe' }))
  const use = express.latchkey({
    issuer: origin,
    clientId: added.app.id,
    clientSecret: added.secret,
    sessionSecret: 'a secret of the benchmark, 32 characters',
    appUrl,
  })
  const requireUser = express.requireUser()
  const server = createServer((request, response) =>
    use(request, response, () => requireUser(request, response, () => response.end('signed in'))),
  )
  server.listen(port, '127.0.0.1')
  return { url: `${appUrl}/notes`, close: () => server.close().closeAllConnections() }
}
