/**
 * Keeps what is expensive to make for all tests of a spec that run in one worker, and ends it as the worker goes on to another
 * spec. A fixture of the worker's scope would do the same, but each set of those gets workers, servers and browsers of its own.
 */
export class Kept {
  private spec = ''
  private readonly made = new Map<string, Promise<unknown>>()
  private ends: (() => unknown)[] = []

  /** Before each test. */
  async enter(spec: string) {
    if (spec !== this.spec) await this.end()
    this.spec = spec
  }

  /** What the first call with a key makes. `onEnd` takes what ends it. */
  readonly keep: Keep = <T>(key: string, make: (onEnd: (end: () => unknown) => void) => Promise<T>) => {
    const made = this.made.get(key) ?? make((end) => this.ends.push(end))
    this.made.set(key, made)
    return made as Promise<T>
  }

  /** Ends all, newest first: a later one may use an earlier one. */
  async end() {
    for (const end of this.ends.splice(0).reverse()) await end()
    this.made.clear()
  }
}

export type Keep = <T>(key: string, make: (onEnd: (end: () => unknown) => void) => Promise<T>) => Promise<T>
