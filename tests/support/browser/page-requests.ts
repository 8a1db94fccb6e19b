import type { Page } from 'playwright/test'
import { Client } from '../client'
import type { Server } from '../server/server'

/** Makes the server reject the page's registration, by consuming its challenge with a malformed copy first. */
export async function rejectRegistration(page: Page, server: Server) {
  await page.route('**/api/auth/register/verify', async (route) => {
    const body = route.request().postDataJSON()
    await new Client(server).post('/api/auth/register/verify', {
      ...body,
      response: { ...body.response, attestationObject: 'AAAA' },
    })
    await route.continue()
  })
}

/** Collects the paths of what the page's script asks the server for. */
export function watchPaths(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') paths.push(new URL(request.url()).pathname)
  })
  return paths
}

/** Collects the bodies of the page's requests to a path. */
export function watchRequests(page: Page, path: string): unknown[] {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) bodies.push(request.postDataJSON())
  })
  return bodies
}

/** Holds back the server's responses to a path until they are released. */
export async function holdAnswers(page: Page, path: string) {
  const held = { asked: 0, release: () => {} }
  const released = new Promise<void>((resolve) => {
    held.release = resolve
  })
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch()
    held.asked += 1
    await released
    // The page may be gone by now.
    await route.fulfill({ response }).catch(() => undefined)
  })
  return held
}
