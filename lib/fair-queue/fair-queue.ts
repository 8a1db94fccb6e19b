import { expectedWait } from './expected-wait'
import { isExpensive, placesForExpensive, type QueuedJob, type Shares, type StartableJob } from './queued-job'

/**
 * Decides which job runs next, without timers or promises. Networks take turns, and so do the addresses of a
 * network: many requests of an address, or many addresses of a network, delay others by one turn only. A job that must
 * wait for a share is overtaken by the next of its line.
 */
export class FairQueue<Job extends QueuedJob> {
  readonly #shares: Shares
  /** By network, then by address, in the order of turns: a Map iterates in insertion order. */
  readonly #waiting = new Map<string, Map<string, Job[]>>()
  readonly #running = new Set<Job>()
  /** With a single place: the cheap work due before the next expensive job. */
  #owed = 0

  constructor(shares: Shares) {
    this.#shares = shares
  }

  get length(): number {
    return [...this.#waiting.values()].reduce((length, addresses) => length + sizeOf(addresses), 0)
  }

  add(job: Job): void {
    const addresses = getOrAdd(this.#waiting, job.network, () => new Map<string, Job[]>())
    getOrAdd(addresses, job.address, () => []).push(job)
  }

  /** @returns false if the job was not waiting */
  remove(job: Job): boolean {
    const jobs = this.#waiting.get(job.network)?.get(job.address)
    const at = jobs?.indexOf(job) ?? -1
    if (!jobs || at < 0) return false
    jobs.splice(at, 1)
    this.#forgetEmpty(job)
    return true
  }

  /** The returned job runs until `finish`; undefined if none may run. */
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

  /** How long a new job would wait, in durations of a job of work 1. */
  expectedWait(job: QueuedJob): number {
    return expectedWait(job, { shares: this.#shares, running: [...this.#running], waiting: this.#waiting })
  }

  #run(job: Job): Job {
    this.remove(job)
    this.#running.add(job)
    this.#owed = isExpensive(job) ? job.work : Math.max(0, this.#owed - job.work)
    // To the end of both rounds.
    const addresses = this.#waiting.get(job.network)
    const jobs = addresses?.get(job.address)
    if (addresses && jobs) moveToEnd(addresses, job.address, jobs)
    if (addresses) moveToEnd(this.#waiting, job.network, addresses)
    return job
  }

  #mayRun(job: Job): boolean {
    const { perAccount = Number.POSITIVE_INFINITY, perAddress } = this.#shares
    return (
      (job.account === undefined || this.#count(({ account }) => account === job.account) < perAccount) &&
      this.#count(({ address }) => address === job.address) < perAddress &&
      (!isExpensive(job) || this.#mayRunExpensive(job))
    )
  }

  /** An expensive job holds its place for seconds: without these bounds a few addresses would keep everybody waiting. */
  #mayRunExpensive({ network }: Job): boolean {
    const { places } = this.#shares
    return (
      this.#count(isExpensive) < placesForExpensive(this.#shares) &&
      this.#count((job) => isExpensive(job) && job.network === network) === 0 &&
      (places > 1 || this.#owed === 0 || !this.#isCheapWaiting())
    )
  }

  #count(matches: (job: Job) => boolean): number {
    let count = 0
    for (const job of this.#running) if (matches(job)) count++
    return count
  }

  #isCheapWaiting(): boolean {
    for (const addresses of this.#waiting.values())
      for (const jobs of addresses.values()) if (!jobs.every(isExpensive)) return true
    return false
  }

  #forgetEmpty({ network, address }: Job) {
    const addresses = this.#waiting.get(network)
    if (addresses?.get(address)?.length === 0) addresses.delete(address)
    if (addresses?.size === 0) this.#waiting.delete(network)
  }
}

/** Starts the jobs that may run. */
export function startNext<Job extends StartableJob>(queue: FairQueue<Job>): void {
  for (let job = queue.next(); job; job = queue.next()) job.start()
}

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
