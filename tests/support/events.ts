import { expect } from 'playwright/test'
import type { Client } from './client'

export interface ListedEvent {
  type: string
  at: string
  method: string | null
  browser: string | null
  count?: number
  newBrowser?: true
}

/** A page of the events of the client's account. */
export async function eventPage(client: Client, body?: { before?: string; kind?: string }) {
  const answer = await client.post('/api/i/events', body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body as { events: ListedEvent[]; more: boolean; next?: string }
}

/** The newest events of the client's account, newest first. */
export const eventsOf = async (client: Client, kind?: string) =>
  (await eventPage(client, kind ? { kind } : undefined)).events

/** What the client's owner should look at. */
export async function notableEventsOf(client: Client): Promise<ListedEvent[]> {
  const answer = await client.post('/api/i/notices')
  expect(answer.status, answer.text).toBe(200)
  return answer.body.events
}
