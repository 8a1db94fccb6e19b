/** Names in place of ids, which differ from run to run. */
export class Names {
  private readonly byId = new Map<string, string>()

  /** The name of an id: the kind and a number. */
  of(kind: string, id: string): string {
    const known = this.byId.get(id)
    if (known !== undefined) return known
    const name = `${kind} ${[...this.byId.values()].filter((other) => other.startsWith(kind)).length}`
    this.byId.set(id, name)
    return name
  }

  idOf(name: string): string {
    return [...this.byId].find(([, other]) => other === name)?.[0] ?? ''
  }
}
