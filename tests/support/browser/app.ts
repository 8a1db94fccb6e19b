import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright/test'
import { listenLocally } from '../network/listen-locally'
import { type RegisteredApp, registerApp } from '../openid/fixtures'
import { codeChallengeOf } from '../openid/flow'
import { test as base, button, expect, ready } from './pages'

export interface App extends RegisteredApp {
  origin: string
}

/** An app at another origin, whose page shows the method and the form of the request that it got. */
export const test = base.extend<{ app: App }>({
  app: async ({ server, keep }, use) => {
    const app = await keep('app', async (onEnd) => {
      const { port, close } = await listenLocally(
        createServer(async (request, response) => {
          const body = request.method === 'POST' ? await text(request) : ''
          response
            .setHeader('Content-Type', 'text/html')
            .end(`<title>${request.method} ${body.replace(/=.*/, '')}</title>`)
        }),
      )
      onEnd(close)
      const origin = `http://localhost:${port}`
      const pages = ['--home', `${origin}/home`, '--sign-out-uri', `${origin}/signed-out`]
      return { ...(await registerApp(server, `${origin}/callback`, ...pages)), origin }
    })
    await use(app)
  },
})

export function requestTo(app: App, changes: Record<string, string> = {}): string {
  const state = randomBytes(8).toString('hex')
  return `/api/oauth/authorize?${new URLSearchParams({
    client_id: app.id,
    redirect_uri: app.redirectUri,
    response_type: 'code',
    scope: 'openid profile',
    state,
    code_challenge: codeChallengeOf('v'.repeat(43)),
    code_challenge_method: 'S256',
    ...changes,
  })}`
}

/** Opens a request of the app, which asks the signed-in person for their consent. */
export async function openConsent(page: Page, app: App, changes: Record<string, string> = {}) {
  await page.goto(requestTo(app, changes))
  await expect(consentTitle(page, app)).toBeVisible()
  await ready(page)
}

/** Waits until the browser is back at the app. @returns the parameters that the app got */
export async function backAtApp(page: Page, app: App): Promise<URLSearchParams> {
  await page.waitForURL((url) => url.href.startsWith(app.redirectUri))
  return new URL(page.url()).searchParams
}

/** Removes a test's requests to the app from its faults: that origin is foreign to our pages. */
export const ignoreRequestsTo = (app: App, faults: string[]) => {
  const others = faults.filter((fault) => !fault.startsWith(`asked ${app.origin}/`))
  faults.splice(0, faults.length, ...others)
}

export const consentTitle = (page: Page, app: App) => page.getByRole('heading', { name: `Sign in to ${app.name}` })

export const continueButton = (page: Page) => button(page, 'Continue')

/** Continues at the consent page, and expects to be back at the app with a code. */
export async function continueToApp(page: Page, app: App, faults: string[]): Promise<void> {
  await expect(consentTitle(page, app)).toBeVisible()
  await ready(page)
  await continueButton(page).click()
  expect((await backAtApp(page, app)).has('code')).toBe(true)
  ignoreRequestsTo(app, faults)
}
