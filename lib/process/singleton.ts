/**
 * server.ts, Next's routes, pages, instrumentation.ts and proxy.ts each load their own copy of a module, so a module variable
 * would exist several times; `globalThis` is shared. If `make` throws, the next call tries again.
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

/** Concurrent callers share one promise, and a rejected one is discarded. */
export function asyncSingleton<T>(name: string, make: () => Promise<T>): Promise<T> {
  return singleton(name, () =>
    make().catch((error: unknown) => {
      registry.delete(name)
      throw error
    }),
  )
}
