import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from 'node:tls'
import { type BrowserContext, test as base, expect, type Page } from 'playwright/test'
import { PASSWORD, randomName } from '../support/accounts'
import { ready, submitSignIn } from '../support/browser/pages'
import { headlessShellOptions } from '../support/machine/find-chromium.mjs'
import { temporaryFolder } from '../support/machine/temporary-folder'
import { startTlsFront } from '../support/network/tls-front'
import { accountsJson } from '../support/operator/accounts-command'
import { type Server, startServer } from '../support/server/server'
import { Suite } from './suite'

const { CONFORMANCE_SUITE: suiteUrl = '', CONFORMANCE_MODULE: part = '', CONFORMANCE_RESULTS = '' } = process.env

const withDiscovery = { client_registration: 'static_client', server_metadata: 'discovery' }
const withCode = { client_registration: 'static_client', response_type: 'code' }
const plans = {
  'Config OP': { name: 'oidcc-config', variant: {} },
  'Basic OP': { name: 'oidcc-basic', variant: withDiscovery },
  'Form Post OP': { name: 'oidcc-formpost-basic', variant: withDiscovery },
  'RP-Initiated Logout OP': { name: 'oidcc-rp-initiated-logout', variant: withCode },
  'Back-Channel Logout OP': { name: 'oidcc-backchannel-rp-initiated-logout', variant: withCode },
}

/** Longer than any module runs. */
const MODULE_DEADLINE = 120_000

interface Fixtures {
  suite: Suite
  /** A server of https, which the suite reaches where it runs on this machine. */
  latchkey: Server
  /** A browser that knows its person, signed out. */
  context: BrowserContext
  username: string
}

const test = base.extend<Fixtures & { front: Awaited<ReturnType<typeof startTlsFront>> }>({
  suite: async ({ playwright }, use) => {
    const request = await playwright.request.newContext({ ignoreHTTPSErrors: true })
    await use(new Suite(suiteUrl, request))
    await request.dispose()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from this pattern.
  front: async ({}, use) => {
    const front = await startTlsFront(['localhost'])
    await use(front)
    await front.close()
  },
  latchkey: async ({ front }, use) => {
    const server = await startServer({
      env: {
        APP_ORIGIN: `https://localhost:${front.port}`,
        // A plan signs in to one account some forty times.
        RATE_LIMIT_LOGIN_MAX: '50',
        NODE_EXTRA_CA_CERTS: await trustedCertificates(),
      },
    })
    front.upstream = server.url
    await use(server)
    await server.stop()
  },
  // biome-ignore lint/correctness/noEmptyPattern: as above.
  username: async ({}, use) => use(randomName()),
  context: async ({ playwright, latchkey, username }, use) => {
    const browser = await playwright.chromium.launch(headlessShellOptions('--disable-background-networking'))
    const context = await browser.newContext({ ignoreHTTPSErrors: true })
    context.setDefaultTimeout(30_000)
    const { origin } = latchkey
    const headers = { Origin: origin }
    const answer = await context.request.post(`${origin}/api/signup`, {
      data: { username, password: PASSWORD },
      headers,
    })
    expect(answer.status(), await answer.text()).toBe(201)
    await accountsJson(latchkey, 'email', username, `${username}@example.com`)
    await use(context)
    await browser.close()
  },
})

/** For logout tokens: the suite's own certificate, which it may have signed itself, beside those trusted here already. */
async function trustedCertificates(): Promise<string> {
  const { hostname, port } = new URL(suiteUrl)
  const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { NODE_EXTRA_CA_CERTS: others } = process.env
  const file = join(temporaryFolder('conformance'), 'trusted.pem')
  writeFileSync(file, `${others ? readFileSync(others, 'utf8') : ''}\n${socket.getPeerX509Certificate()}`)
  socket.destroy()
  return file
}

for (const [plan, { name, variant }] of Object.entries(plans))
  test(`${plan} runs to its end`, async ({ suite, latchkey, context, username }) => {
    const configuration = await configurationOf(latchkey, plan)
    const { id, modules } = await suite.createPlan(`${name}-certification-test-plan`, variant, configuration)
    console.log(`${plan}: ${suiteUrl}/plan-detail.html?plan=${id}`)
    for (const module of modules.filter(({ testModule }) => testModule.includes(part))) {
      const running = await suite.start(id, module)
      const result = await runModule(suite, running, context, username)
      console.log([`${plan}, ${module.testModule}: ${result}`, ...(await suite.remarks(running))].join('\n    '))
      appendFileSync(CONFORMANCE_RESULTS, `${JSON.stringify({ plan, module: module.testModule, result })}\n`)
    }
  })

/** Registers the plan's two apps at the suite's addresses, and tells the suite of them. */
async function configurationOf(server: Server, plan: string) {
  const alias = `latchkey-${randomBytes(6).toString('hex')}`
  const address = (path: string) => `${suiteUrl}/test/a/${alias}/${path}`
  // Most modules send no challenge.
  const words = [address('callback'), '--no-pkce', '--sign-out-uri', address('post_logout_redirect')]
  // Modules of other plans fail when a logout token arrives.
  const backChannel = plan === 'Back-Channel Logout OP' ? ['--back-channel', address('backchannel_logout')] : []
  const client = await register(server, 'Conformance suite', ...words, ...backChannel)
  return {
    alias,
    server: { discoveryUrl: `${server.origin}/.well-known/openid-configuration` },
    client,
    client_secret_post: client,
    client2: await register(server, 'Another app', ...words),
  }
}

async function register(server: Server, name: string, ...words: string[]) {
  const { app, secret } = await accountsJson(server, 'app', 'add', name, ...words)
  return { client_id: app.id, client_secret: secret }
}

/** Does what a module asks of a browser until it ends. @returns its result, and what its screenshots show */
async function runModule(suite: Suite, id: string, context: BrowserContext, username: string): Promise<string> {
  // The device's stays: a sign-in in a browser that the account does not know leads to a notice first.
  await context.clearCookies({ name: '__Host-session' })
  const page = await context.newPage()
  const shown: string[] = []
  const deadline = Date.now() + MODULE_DEADLINE
  for (;;) {
    const { status, result } = await suite.info(id)
    if (status === 'FINISHED' || status === 'INTERRUPTED' || Date.now() > deadline) {
      await page.close()
      return status === 'FINISHED' ? [result, ...shown].join(': ') : `INTERRUPTED, ${status}`
    }
    for (const { url, method } of status === 'WAITING' ? await suite.addresses(id) : []) {
      // Before the page opens: as soon as it has led back, the module may want a screenshot of the next.
      const wanted = await suite.wanted(id)
      await suite.visited(id, url)
      await open(page, url, method)
      const pictures = await goThroughPages(page, username)
      for (const { upload, msg } of wanted) {
        const picture = pictures.at(msg.includes('successful logout page') ? -1 : 0)
        // Without a page the browser was led straight back, and the module wants none after all.
        if (picture === undefined) continue
        await suite.upload(id, upload, picture.png)
        shown.push(picture.shows)
      }
    }
    await delay(200)
  }
}

async function open(page: Page, url: string, method: string) {
  if (method === 'GET') {
    await page.goto(url)
    return
  }
  const { origin, pathname, searchParams } = new URL(url)
  await page.goto('about:blank')
  await page.setContent('<form method="post"></form>')
  await page.locator('form').evaluate(
    (form: HTMLFormElement, { action, fields }) => {
      form.action = action
      for (const [name, value] of fields) form.append(Object.assign(document.createElement('input'), { name, value }))
      form.submit()
    },
    { action: origin + pathname, fields: [...searchParams] },
  )
  await page.waitForURL((next) => next.href !== 'about:blank')
}

interface Picture {
  png: Buffer
  /** The first two lines of the page: its heading, and what it says. */
  shows: string
}

/** Goes through our pages as a person does, until one asks for nothing or the browser is at the suite. @returns what they show */
async function goThroughPages(page: Page, username: string): Promise<Picture[]> {
  const pictures: Picture[] = []
  for (;;) {
    // With response_mode=form_post a page without a heading leads back by itself.
    await expect.poll(async () => isAtSuite(page) || (await page.locator('main h1').isVisible())).toBe(true)
    if (isAtSuite(page)) return pictures
    const url = new URL(page.url())
    // The message appears once the page is hydrated.
    if (isSignedOut(url)) await page.getByText("You're signed out.").waitFor()
    const lines = (await page.locator('main').innerText()).split('\n').filter((line) => line.trim() !== '')
    pictures.push({ png: await page.screenshot({ fullPage: true }), shows: lines.slice(0, 2).join(' / ') })
    if (!(await goOn(page, url, username))) return pictures
    await page.waitForURL((next) => next.href !== url.href)
  }
}

const isAtSuite = (page: Page) => page.url().startsWith(`${suiteUrl}/`)

/** The sign-in page of no app's request, which follows a sign-out. */
const isSignedOut = ({ pathname, searchParams }: URL) => pathname === '/signin' && !searchParams.has('next')

/** Does what a page is for. @returns false for one that asks for nothing */
async function goOn(page: Page, url: URL, username: string): Promise<boolean> {
  if (url.pathname === '/signin' && !isSignedOut(url)) {
    await ready(page)
    await submitSignIn(page, username)
  } else if (url.pathname === '/consent') {
    await ready(page)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
  } else if (url.pathname === '/signout') {
    await ready(page)
    await page.getByRole('button', { name: 'Sign out', exact: true }).click()
  } else return false
  return true
}
