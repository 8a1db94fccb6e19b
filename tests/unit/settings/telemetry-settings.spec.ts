import { expect, test } from 'playwright/test'
import { read } from '../../support/unit/settings'

const telemetry: [environment: Record<string, string>, metrics: string[], traces: string[]][] = [
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318' }, ['otlp'], ['otlp']],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://otel:4318/v1/metrics' }, ['otlp'], []],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://otel:4318/v1/traces' }, [], ['otlp']],
  [{ OTEL_METRICS_EXPORTER: 'prometheus' }, ['prometheus'], []],
  [{ OTEL_METRICS_EXPORTER: 'otlp, prometheus' }, ['otlp', 'prometheus'], []],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, [], ['otlp']],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318', OTEL_TRACES_EXPORTER: 'none' }, ['otlp'], []],
]
for (const [environment, metrics, traces] of telemetry) {
  test(`${JSON.stringify(environment)} turns on just the signals that it names`, () => {
    expect(read(environment).settings?.telemetry).toMatchObject({ metrics, traces })
    const disabled = { ...environment, OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }
    expect(read(disabled)).toMatchObject({ faults: [], settings: { telemetry: null } })
  })
}

test('OTLP goes by protobuf unless a protocol is named, and Prometheus is answered on this machine only', () => {
  const { settings } = read({
    OTEL_METRICS_EXPORTER: 'prometheus',
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
    OTEL_METRIC_EXPORT_INTERVAL: '5000',
  })
  expect(settings?.telemetry).toMatchObject({
    protocol: { metrics: 'http/protobuf', traces: 'http/json' },
    prometheus: { host: '127.0.0.1', port: 9464 },
    interval: 5000,
    timeout: 5000,
  })
})

test('telemetry is off on Vercel, and its platform takes that over', () => {
  const vercel = { VERCEL: '1', DATABASE_URL: 'postgresql://db.example/latchkey' }
  expect(read({ ...vercel, OTEL_METRICS_EXPORTER: 'prometheus' }).settings?.telemetry).toBeNull()
})
