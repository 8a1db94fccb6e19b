import { expect, type Page } from 'playwright/test'
import type { Client } from '../client'

/** Where pages keep the step-up token. */
const key = 'latchkey.step-up'

/** Tokens of sessions that a test opened by a request, until the tab opens a page that can store them. */
const waiting = new WeakMap<Page, string>()

/** Signs the browser in by a request, as this tab: it gets the step-up token. */
export async function requestSession(page: Page, path: string, data: object) {
  const answer = await page.request.post(path, { data })
  expect([200, 201]).toContain(answer.status())
  waiting.set(page, (await answer.json()).stepUp)
  await storeStepUp(page)
}

/** Signs the browser in with the session of an API client; a page that is opened then gets the client's step-up token. */
export async function useSessionOf(client: Client, page: Page) {
  const url = client.server.origin
  await page.context().addCookies([...client.jar].map(([name, value]) => ({ name, value, url })))
  if (client.stepUp !== undefined) waiting.set(page, client.stepUp)
}

/** Gives the open page the token that waits for it, or the one given. */
export async function storeStepUp(page: Page, token = waiting.get(page)) {
  if (token === undefined || !page.url().startsWith('http')) return
  waiting.delete(page)
  const value = JSON.stringify({ token, at: Date.now() })
  await page.evaluate(([key, value]) => sessionStorage.setItem(key, value), [key, value] as const)
}

/** The tab's step-up token, or null. */
export async function stepUpOf(page: Page): Promise<string | null> {
  if (!page.url().startsWith('http')) return waiting.get(page) ?? null
  const value = await page.evaluate((key) => sessionStorage.getItem(key), key)
  return value === null ? null : JSON.parse(value).token
}

/** Removes the tab's step-up token: like an expired one, the server then asks for a credential again. */
export async function forgetStepUp(page: Page) {
  waiting.delete(page)
  if (page.url().startsWith('http')) await page.evaluate((key) => sessionStorage.removeItem(key), key)
}

/** Posts with the browser's session and the tab's step-up token. */
export async function postAs(page: Page, path: string, data?: object) {
  const stepUp = await stepUpOf(page)
  return page.request.post(path, { data, headers: stepUp === null ? {} : { 'Latchkey-Step-Up': stepUp } })
}
