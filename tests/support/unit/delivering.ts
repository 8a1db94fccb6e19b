import { stopDelivering } from '@/lib/delivery/delivering'

const singletons = Symbol.for('latchkey')

/**
 * Ends the deliveries that earlier specs of this process have begun, which would claim messages that a test gives its own
 * courier. The next use begins new ones.
 */
export async function endDelivering(): Promise<void> {
  await stopDelivering()
  const registry = (globalThis as unknown as Record<symbol, Map<string, unknown>>)[singletons]
  registry?.delete('delivery')
}
