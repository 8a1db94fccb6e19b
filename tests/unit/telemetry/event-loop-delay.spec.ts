import { setTimeout as delay } from 'node:timers/promises'
import { type IMetricReader, MeterProvider } from '@opentelemetry/sdk-metrics'
import { expect, test } from 'playwright/test'
import { metricReaders } from '@/lib/telemetry/sdk'

const telemetry = {
  metrics: ['otlp', 'prometheus'] as ('otlp' | 'prometheus')[],
  traces: [],
  protocol: { metrics: 'http/json', traces: 'http/json' } as const,
  // A free port, and no export while the test runs.
  prometheus: { host: '127.0.0.1', port: 0 },
  interval: 3_600_000,
  timeout: 1_000,
}

async function longestDelay(reader: IMetricReader): Promise<number | undefined> {
  const { resourceMetrics } = await reader.collect()
  const metrics = resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics)
  const gauge = metrics.find(({ descriptor }) => descriptor.name === 'nodejs.eventloop.delay.max')
  return gauge?.dataPoints[0]?.value as number | undefined
}

function block(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

test('each reader of metrics sees the delays of the event loop since its own last collection', async () => {
  const { readers, server } = await metricReaders(telemetry, 'test')
  const provider = new MeterProvider({ readers })
  expect(readers).toHaveLength(2)
  // Again until the timers that measure have begun.
  await expect(async () => {
    block(100)
    for (const reader of readers) {
      // Something is measured between any two collections.
      await delay(20)
      expect(await longestDelay(reader)).toBeGreaterThan(0.05)
    }
  }).toPass({ intervals: [20] })
  server?.close()
  await provider.shutdown()
})
