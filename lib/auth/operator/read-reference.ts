interface Reference {
  /** Null: either may be meant */
  kind: 'id' | 'name' | null
  given: string
}

/** What an operator typed for an account or app: `id:<id>`, `name:<name>`, or either without a prefix. */
export function readReference(text: string): Reference {
  const [, kind, given] = /^(id|name):(.*)$/s.exec(text) ?? []
  return given === undefined ? { kind: null, given: text } : { kind: kind as 'id' | 'name', given }
}
