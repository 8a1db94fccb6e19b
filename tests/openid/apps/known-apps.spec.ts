import { readFileSync } from 'node:fs'
import { createAccount } from '../../support/accounts'
import { expect, registerApp, test } from '../../support/openid/fixtures'
import { Flow } from '../../support/openid/flow'
import { isConsent } from '../../support/openid/requests'

interface KnownApp {
  name: string
  redirectUris: string[]
  options: string[]
  scopes: string[]
}

const { apps }: { apps: KnownApp[] } = JSON.parse(readFileSync('docs/apps.json', 'utf8'))

test('each known app of docs/apps.json can be registered as it says, and its request is taken at each of its addresses', async ({
  client,
  server,
}) => {
  await createAccount(client)
  expect(apps.length).toBeGreaterThanOrEqual(10)
  await Promise.all(
    apps.map(async ({ name, redirectUris, options, scopes }) => {
      const app = await registerApp(server, ...redirectUris, ...options)
      const without = { code_challenge: undefined, code_challenge_method: undefined, nonce: undefined }
      for (const redirect_uri of redirectUris) {
        const changes = { redirect_uri, scope: scopes.join(' '), ...(options.includes('--no-pkce') && without) }
        const asked = await new Flow(client, app).ask(changes)
        expect(isConsent(asked), `${name}: ${asked.text}`).toBe(true)
      }
    }),
  )
})
