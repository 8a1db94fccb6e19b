import { expect } from 'playwright/test'
import { startMetricsServer } from '@/lib/telemetry/sdk'
import { test } from '../../support/unit/logged'

test('errors of the server that shows the metrics are logged, each of them, and end nothing', async ({ logged }) => {
  const server = await startMetricsServer({ host: '127.0.0.1', port: 0 }, () => undefined)
  // As when the process has no file descriptor left for a connection; without a listener, emit() throws.
  const errors = [new Error('accept EMFILE'), new Error('accept ENFILE')]
  for (const error of errors) server.emit('error', error)
  expect(logged).toEqual(errors.map((err) => ({ err })))
  server.close()
})
