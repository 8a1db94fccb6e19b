// An app that has no sign-in of its own stands behind nginx or Caddy, which ask Latchkey (docs/your-app/reverse-proxy.md).
// The proxies are real, with the configurations that the document quotes.
import { changeDisplayName, signUp } from '../support/accounts'
import { Client } from '../support/client'
import { expect } from '../support/fixtures'
import { identity, identityIn, testBehind } from '../support/network/proxied-app'
import { headersOf, statusOf } from '../support/network/raw-http'
import { accountsJson } from '../support/operator/accounts-command'
import { accessCookieOf, SIBLINGS } from '../support/your-app/sibling-apps'
import { APP } from '../support/your-app/snippets'

const host = new URL(APP).host
const asPage = { Accept: 'text/html,application/xhtml+xml' }

for (const name of ['nginx', 'caddy'] as const) {
  const test = testBehind(name)

  test(`behind ${name} a visitor is sent to sign in, and the app never sees the request`, async ({
    reverseProxy,
    app,
  }) => {
    const page = await reverseProxy.ask(host, 'GET', '/page', asPage)
    const address = `${SIBLINGS.APP_ORIGIN}/api/access?${new URLSearchParams({ next: `${APP}/page` })}`
    expect([statusOf(page), headersOf(page).location]).toEqual([303, [address]])
    expect(statusOf(await reverseProxy.ask(host, 'GET', '/data.json'))).toBe(401)
    expect(app.seen).toEqual([])
  })

  test(`behind ${name} the app learns who asks, and believes no header of a client`, async ({
    reverseProxy,
    server,
    app,
  }) => {
    const client = new Client(server)
    const who = await signUp(client)
    await accountsJson(server, 'group', 'add', `staff-${name}`, who.username)
    expect((await changeDisplayName(client, 'Zoë 100 %')).status).toBe(200)
    const forged = { 'Remote-User': 'root', 'Remote-User-Id': '0', 'Remote-Groups': 'admins', Remote_User: 'root' }
    expect(statusOf(await reverseProxy.ask(host, 'GET', '/', { ...forged, ...accessCookieOf(client) }))).toBe(200)
    expect(identityIn(app.last())).toEqual(identity(who, 'pwd', { groups: `staff-${name}`, name: 'Zo%C3%AB 100 %25' }))
    expect(statusOf(await reverseProxy.ask(host, 'GET', '/', forged))).toBe(401)
  })

  test(`behind ${name} the app is closed as soon as its visitor has signed out, also to a copy of the cookie`, async ({
    reverseProxy,
    server,
  }) => {
    const client = new Client(server)
    await signUp(client)
    const cookie = accessCookieOf(client)
    expect(statusOf(await reverseProxy.ask(host, 'GET', '/', cookie))).toBe(200)
    await client.post('/api/signout')
    expect(statusOf(await reverseProxy.ask(host, 'GET', '/', cookie))).toBe(401)
    expect(statusOf(await reverseProxy.ask(host, 'GET', '/', { ...cookie, ...asPage }))).toBe(303)
  })
}
