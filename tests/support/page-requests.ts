import type { Page } from 'playwright/test'
import { Client } from './client'
import type { Server } from './server'

/** Has the server refuse the page's registration: a spoilt copy, sent ahead of it, spends the challenge. */
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

/** Collects the bodies of the page's requests to a path from now on. */
export function watchRequests(page: Page, path: string): unknown[] {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) bodies.push(request.postDataJSON())
  })
  return bodies
}
