/** Who asks for a hash. A network is what takes turns: an IPv4 address, or the IPv6 /48 around a /64. */
export interface Turn {
  account: string
  address: string
  network: string
}

export interface Shares {
  /** Hashes that run at once. */
  places: number
  /** How many of them one account may have, and one address. */
  perAccount: number
  perAddress: number
}

/**
 * Decides whose hash is next; knows nothing of time, promises or hashing. Networks take turns, and the addresses of a
 * network among each other, so that many requests of one address, or many addresses of one network, delay others by one
 * turn only.
 */
export class FairQueue<Job extends Turn> {
  readonly #shares: Shares
  /** By network, then by address, in the order of their turns: a Map iterates in the order of insertion. */
  readonly #waiting = new Map<string, Map<string, Job[]>>()
  readonly #running = new Set<Job>()

  constructor(shares: Shares) {
    this.#shares = shares
  }

  /** How many jobs wait. */
  get length(): number {
    return [...this.#waiting.values()].reduce((length, addresses) => length + sizeOf(addresses), 0)
  }

  add(job: Job): void {
    const addresses = getOrAdd(this.#waiting, job.network, () => new Map<string, Job[]>())
    getOrAdd(addresses, job.address, () => []).push(job)
  }

  /** Takes back a job that waits. @returns false if it does not */
  remove(job: Job): boolean {
    const jobs = this.#waiting.get(job.network)?.get(job.address)
    const at = jobs?.indexOf(job) ?? -1
    if (!jobs || at < 0) return false
    jobs.splice(at, 1)
    this.#forgetEmpty(job)
    return true
  }

  /** The job whose turn it is, which then runs until `finish`; undefined if none may. */
  next(): Job | undefined {
    if (this.#running.size >= this.#shares.places) return undefined
    for (const addresses of this.#waiting.values()) {
      for (const jobs of addresses.values()) {
        const job = jobs.find((waiting) => this.#mayRun(waiting))
        if (job) return this.#run(job)
      }
    }
    return undefined
  }

  finish(job: Job): void {
    this.#running.delete(job)
  }

  /**
   * How long a new job would wait, in durations of one hash: for those that run, and for as many of every other address
   * and network as have their turn first. The length of the whole queue says little: others wait there behind themselves.
   */
  expectedTurns({ account, address, network }: Turn): number {
    const { places, perAccount, perAddress } = this.#shares
    const own = this.#waiting.get(network) ?? new Map<string, Job[]>()
    const ofAddress = own.get(address)?.length ?? 0
    const lines = [...own].flatMap(([other, { length }]) => (other === address ? [] : length))
    const inNetwork = turnsAmong(lines, ofAddress)
    const networks = [...this.#waiting].flatMap(([other, addresses]) => (other === network ? [] : sizeOf(addresses)))
    const ahead = this.#running.size + turnsAmong(networks, inNetwork)
    const sameAddress = ofAddress + this.#count((job) => job.address === address)
    const sameAccount = this.#waitingFor(account) + this.#count((job) => job.account === account)
    // Less than a free place is no wait; a share that is full lasts longer than the places say.
    const late = (jobs: number, at: number) => Math.max(0, jobs + 1 - at) / at
    return Math.max(late(ahead, places), late(sameAddress, perAddress), late(sameAccount, perAccount))
  }

  #run(job: Job): Job {
    this.remove(job)
    this.#running.add(job)
    // To the end of both rounds.
    const addresses = this.#waiting.get(job.network)
    const jobs = addresses?.get(job.address)
    if (addresses && jobs) moveToEnd(addresses, job.address, jobs)
    if (addresses) moveToEnd(this.#waiting, job.network, addresses)
    return job
  }

  #mayRun({ account, address }: Job): boolean {
    const { perAccount, perAddress } = this.#shares
    return (
      this.#count((job) => job.account === account) < perAccount &&
      this.#count((job) => job.address === address) < perAddress
    )
  }

  #count(matches: (job: Job) => boolean): number {
    let count = 0
    for (const job of this.#running) if (matches(job)) count++
    return count
  }

  #waitingFor(account: string): number {
    let count = 0
    for (const addresses of this.#waiting.values())
      for (const jobs of addresses.values()) for (const job of jobs) if (job.account === account) count++
    return count
  }

  #forgetEmpty({ network, address }: Job) {
    const addresses = this.#waiting.get(network)
    if (addresses?.get(address)?.length === 0) addresses.delete(address)
    if (addresses?.size === 0) this.#waiting.delete(network)
  }
}

/** Turns until one's own: `own` jobs go first, and of every other line as many as have their turn meanwhile. */
const turnsAmong = (others: number[], own: number) =>
  others.reduce((turns, length) => turns + Math.min(length, own + 1), own)

const sizeOf = (addresses: Map<string, unknown[]>) =>
  [...addresses.values()].reduce((size, { length }) => size + length, 0)

function moveToEnd<V>(map: Map<string, V>, key: string, value: V) {
  map.delete(key)
  map.set(key, value)
}

function getOrAdd<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}
