import type { TestInfo } from 'playwright/test'

interface Recorded {
  url: string
  output: () => string
  /** How much of the output earlier tests have caused. */
  before: number
  hasStopped: boolean
}

/** The servers of this worker that run, and those that have stopped since the test began. */
const servers = new Set<Recorded>()

/** Records what a server writes, by whichever fixture it starts. @returns what its end calls */
export function recordOutput(url: string, output: () => string): () => void {
  const server = { url, output, before: 0, hasStopped: false }
  servers.add(server)
  return () => {
    server.hasStopped = true
  }
}

/** What servers write from now on is the test's that begins. */
export function beginTest(): void {
  for (const server of servers) {
    if (server.hasStopped) servers.delete(server)
    else server.before = server.output().length
  }
}

/** Attaches what each server has written since the test began, those that it shares with other tests included. */
export async function attachOutput(testInfo: Pick<TestInfo, 'attach'>): Promise<void> {
  for (const { url, output, before } of servers) {
    const body = output().slice(before)
    if (body !== '') await testInfo.attach(`output of ${url}`, { body, contentType: 'text/plain' })
  }
}
