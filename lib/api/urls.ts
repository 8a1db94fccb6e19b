/** A page or an endpoint of ours that leads on to `next`. */
export const withNext = (path: string, next: string) => `${path}?${new URLSearchParams({ next })}`

/** A parameter without a value counts as omitted (RFC 6749 sections 3.1 and 3.2). */
export const withoutEmpty = (parameters: URLSearchParams) =>
  new URLSearchParams([...parameters].filter(([, value]) => value !== ''))

/** In one pass: a stranger's form can have thousands of names. `resource` may repeat (RFC 8707 section 2). */
export function repeatedName(parameters: Iterable<[string, string]>): string | undefined {
  const names = new Set<string>()
  for (const [name] of parameters) {
    if (names.has(name) && name !== 'resource') return name
    names.add(name)
  }
  return undefined
}
