import { DiagLogLevel, diag } from '@opentelemetry/api'
import { log } from '@/lib/process/log'
import { onceAMinute } from '@/lib/process/once-a-minute'

/** Logs at most one warning a minute while the receiver is unavailable. */
export function logExportFailures(): void {
  const warn = onceAMinute((text: string) => log().warn({ reason: reasonOf(text) }, 'telemetry was not sent'))
  const ignored = () => undefined
  diag.setLogger(
    { error: warn, warn, info: ignored, debug: ignored, verbose: ignored },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  )
}

/** The SDK passes an error as JSON, stack and all. */
function reasonOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text
  } catch {
    return text
  }
}
