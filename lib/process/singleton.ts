/**
 * Makes a value once per process. A module's variable would exist several times, because server.ts, Next's routes, pages,
 * instrumentation.ts and proxy.ts each load their own copy of the module. If `make` throws, the next call tries again.
 *
 * @param name unique within Latchkey
 */
export function singleton<T>(name: string, make: () => T): T {
  const known = registry.get(name)
  if (known) return known.value as T
  const value = make()
  registry.set(name, { value })
  return value
}

const key = Symbol.for('latchkey')
const shared = globalThis as unknown as Record<symbol, Map<string, { value: unknown }> | undefined>
shared[key] ??= new Map()
const registry = shared[key]

/** Makes a value once, asynchronously: concurrent callers share one promise, and after a rejection the next call tries again. */
export function asyncSingleton<T>(name: string, make: () => Promise<T>): Promise<T> {
  return singleton(name, () =>
    make().catch((error: unknown) => {
      registry.delete(name)
      throw error
    }),
  )
}
