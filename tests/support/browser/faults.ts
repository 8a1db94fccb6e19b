import type { BrowserContext, ConsoleMessage } from 'playwright/test'

/** Collects errors and warnings of a context's pages, and their requests to other origins than this one. */
export function watchFaults(context: BrowserContext, own: string): string[] {
  const faults: string[] = []
  // Unhandled rejections arrive as web errors, CSP violations as console errors.
  context.on('weberror', (event) => faults.push(`threw ${event.error()}`))
  context.on('console', (message) => isFault(message) && faults.push(`${message.type()}: ${message.text()}`))
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    if (protocol.startsWith('http') && origin !== own) faults.push(`asked ${request.url()}`)
  })
  return faults
}

/** Chromium logs every response from 400 up, which many tests provoke. */
function isFault(message: ConsoleMessage): boolean {
  return (
    ['error', 'warning'].includes(message.type()) && !/^Failed to load resource: .* status of 4/.test(message.text())
  )
}
