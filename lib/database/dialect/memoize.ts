/** Keeps the latest `max` results, since a statement has another text for each number of values in its lists. */
export function memoize<Result extends {}>(max: number, make: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const kept = known.get(text)
    if (kept !== undefined) return kept
    const made = make(text)
    if (known.size >= max) known.delete(known.keys().next().value as string)
    known.set(text, made)
    return made
  }
}
