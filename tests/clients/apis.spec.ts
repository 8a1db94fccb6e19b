import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAccount } from '../support/accounts'
import { button, ready, signedIn } from '../support/browser/pages'
import { needs } from '../support/machine/needs'
import { freePort } from '../support/machine/ports'
import { type Documents, keepDocuments } from '../support/openid/documents'
import { CALLBACK, registerApp } from '../support/openid/fixtures'
import { Flow } from '../support/openid/flow'
import { postForm } from '../support/openid/requests'
import { accountsJson } from '../support/operator/accounts-command'
import type { Server } from '../support/server/server'
import { test as base, expect } from './apps'
import { folder, python } from './install'

const test = base.extend<{ documents: Documents }>({
  documents: ({ keep }, use) => keepDocuments(keep).then(use),
  server: async ({ documents, startShared }, use) =>
    use(await startShared({ env: { ...documents.env, CLIENT_DOCUMENTS: 'any' } })),
})

/** How an API of docs/your-app/apis.md is started, as the page shows it. */
function wordsFor(file: string, port: string): [command: string, words: string[]] {
  copyFileSync(join('tests/your-app/apis', file), join(folder, file))
  if (file === 'fastapi_api.py') return [python, ['-m', 'uvicorn', 'fastapi_api:app', '--port', port]]
  return [file.endsWith('.py') ? python : process.execPath, [file]]
}

/** Registers an API that any app may use, at an address of this machine, and the environment of its program. */
async function addApi(server: Server, path = '') {
  const PORT = `${await freePort()}`
  const API_URL = `http://127.0.0.1:${PORT}${path}`
  const scopes = ['--scope', 'notes.read=Read your notes', '--scope', 'notes.write=Write notes in your name']
  await accountsJson(server, 'api', 'add', 'Notes', API_URL, ...scopes, '--any-app')
  return { PORT, API_URL, LATCHKEY_ISSUER: server.origin }
}

test('the APIs of docs/your-app/apis.md answer a token that is for them and has the scope, and no other', async ({
  server,
  client,
  run,
  request,
}) => {
  needs('Python with venv')
  const { app, secret } = await accountsJson(server, 'app', 'add', 'Job', '--machine')
  const tokenFor = async (resource: string, scope: string) => {
    const form = { grant_type: 'client_credentials', client_id: app.id, client_secret: secret, resource, scope }
    return (await postForm({ server }, '/api/oauth/token', form)).body.access_token as string
  }
  const foreign = await tokenFor((await addApi(server)).API_URL, 'notes.read')
  await createAccount(client)
  const { id_token } = await new Flow(client, await registerApp(server, CALLBACK)).tokens()
  await Promise.all(
    ['express.js', 'hono.js', 'fastapi_api.py'].map(async (file) => {
      const env = await addApi(server)
      await run(...wordsFor(file, env.PORT), env)
      const answer = async (token?: string) => {
        const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` }
        const got = await request.get(`${env.API_URL}/notes`, { headers })
        return [got.status(), got.headers()['www-authenticate'] ?? (await got.json()).owner]
      }
      expect(await answer(), file).toEqual([401, expect.stringMatching(/^Bearer\b(?!.*error)/)])
      for (const token of ['x', foreign, id_token])
        expect(await answer(token), file).toEqual([401, expect.stringContaining('invalid_token')])
      const unable = await answer(await tokenFor(env.API_URL, 'notes.write'))
      expect(unable, file).toEqual([403, expect.stringContaining('insufficient_scope')])
      expect(await answer(await tokenFor(env.API_URL, 'notes.read notes.write')), file).toEqual([200, app.id])
    }),
  )
})

test('clients of MCP that introduce themselves find Latchkey by the server of docs/your-app/apis.md, ask their person each time and call its tool', async ({
  page,
  server,
  run,
  documents,
}) => {
  // Three clients sign in twice each, and CI runs this beside all else.
  test.slow()
  needs('Python with venv')
  await signedIn(page)
  const { id } = await (await page.request.post('/api/i')).json()
  const CLIENT_ID = documents.put('/agent.json', { redirect_uris: ['http://127.0.0.1/callback'] })
  const servers = await Promise.all(
    ['mcp_server.py', 'mcp-server.js'].map(async (file) => {
      const env = await addApi(server, '/mcp')
      await run(...wordsFor(file, env.PORT), env)
      return env.API_URL
    }),
  )
  for (const [command, file, MCP_SERVER, SDK] of [
    [process.execPath, 'mcp-client.mjs', servers[0], '1'],
    [process.execPath, 'mcp-client.mjs', servers[1], '2'],
    [python, 'mcp_client.py', servers[1], ''],
  ] as const) {
    const env = { PORT: `${await freePort()}`, CLIENT_ID, MCP_SERVER: MCP_SERVER ?? '', SDK }
    const agent = await run(command, [join('apps', file)], env)
    for (const turn of [1, 2]) {
      agent.write('go on')
      const opened = () => agent.output().match(/^open .*$/gm) ?? []
      await expect.poll(() => opened().length, { message: agent.output() }).toBe(turn)
      const address = opened().at(-1)?.slice('open '.length) ?? ''
      const asked = new URL(address).searchParams
      expect([asked.get('client_id'), asked.get('resource')], file).toEqual([CLIENT_ID, MCP_SERVER])
      await page.goto(address)
      await expect(page.getByRole('main')).toContainText('Read your notes')
      await ready(page)
      await button(page, 'Continue').click()
      await expect(page.getByText('Close this page.')).toBeVisible()
      await expect.poll(() => agent.output().split(`The notes of ${id}`).length - 1).toBe(turn)
    }
  }
})
