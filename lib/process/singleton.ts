/**
 * Gives the one instance of something per process, made on first use.
 *
 * server.ts, Next's routes, its pages, instrumentation.ts and proxy.ts each load their own copy of every module, so a
 * module variable would be one of several; the global registry of symbols is the same for all.
 *
 * @param name unique within Latchkey
 * @param make called at most once per process; if it throws, the next call tries again
 */
export function singleton<T>(name: string, make: () => T): T {
  const key = Symbol.for(`latchkey/${name}`)
  const registry = globalThis as unknown as Record<symbol, { value: T } | undefined>
  registry[key] ??= { value: make() }
  return registry[key].value
}

/** Like `singleton` for something made asynchronously: callers share one attempt, and a failed attempt is forgotten. */
export function asyncSingleton<T>(name: string, make: () => Promise<T>): Promise<T> {
  return singleton(name, () =>
    make().catch((error: unknown) => {
      Reflect.deleteProperty(globalThis, Symbol.for(`latchkey/${name}`))
      throw error
    }),
  )
}
