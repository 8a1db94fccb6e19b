import { expectedWait } from './expected-wait'
import {
  isExpensive,
  partyKey,
  placesForExpensive,
  type QueuedJob,
  type Shares,
  type StartableJob,
  Waiting,
} from './lanes'

/*
 * Who takes turns with whom, for the passwords that wait to be hashed:
 *
 *   lanes     known browsers                  unknown ones
 *   parties   network A         network B     network C
 *   lines     ada    bob        cleo          192.0.2.7   192.0.2.8
 *   jobs      1 2    3          4             5 6 7       8
 *
 * runs 1, 5, 4, 8, 3, 6, 2, 7: the lanes take turns, in a lane its parties, in a party its lines.
 */

/**
 * Decides which job runs next, without timers or promises. Lanes take turns, and so do the parties of a lane and the
 * lines of a party: many requests of a line, or many lines of a party, delay others by one turn only. The next job of a line
 * overtakes one that must wait for a share.
 */
export class FairQueue<Job extends QueuedJob> {
  readonly #shares: Shares
  readonly #waiting = new Waiting<Job>()
  readonly #running = new Set<Job>()
  /** The cheap work due before the next expensive job, if there is a single place */
  #owed = 0

  constructor(shares: Shares) {
    this.#shares = shares
  }

  get length(): number {
    return this.#waiting.jobs().length
  }

  add(job: Job): void {
    this.#waiting.add(job)
  }

  /** @returns false if the job was not waiting */
  remove(job: Job): boolean {
    return this.#waiting.remove(job)
  }

  /** The returned job runs until `finish`; undefined if none may run. */
  next(): Job | undefined {
    if (this.#running.size >= this.#shares.places) return undefined
    const job = this.#waiting.first((waiting) => this.#mayRun(waiting))
    return job && this.#run(job)
  }

  finish(job: Job): void {
    this.#running.delete(job)
  }

  /** Foresees a new job's wait, in durations of a job of work 1. */
  expectedWait(job: QueuedJob): number {
    return expectedWait(job, { shares: this.#shares, running: [...this.#running], waiting: this.#waiting.lanes })
  }

  #run(job: Job): Job {
    this.#waiting.take(job)
    this.#running.add(job)
    this.#owed = isExpensive(job) ? job.work : Math.max(0, this.#owed - job.work)
    return job
  }

  #mayRun(job: Job): boolean {
    const { perAccount = Number.POSITIVE_INFINITY, perAddress } = this.#shares
    return (
      this.#count(({ address }) => address === job.address) < perAddress &&
      (job.account === undefined || this.#count(({ account }) => account === job.account) < perAccount) &&
      (!isExpensive(job) || this.#mayRunExpensive(job))
    )
  }

  /** An expensive job holds its place for seconds: without these bounds a few addresses would keep everybody waiting. */
  #mayRunExpensive(job: Job): boolean {
    const { places } = this.#shares
    return (
      this.#count(isExpensive) < placesForExpensive(this.#shares) &&
      this.#count((other) => isExpensive(other) && partyKey(other) === partyKey(job)) === 0 &&
      (places > 1 || this.#owed === 0 || !this.#isCheapWaiting())
    )
  }

  #count(matches: (job: Job) => boolean): number {
    let count = 0
    for (const job of this.#running) if (matches(job)) count++
    return count
  }

  #isCheapWaiting(): boolean {
    return this.#waiting.jobs().some((job) => !isExpensive(job))
  }
}

/** Starts the jobs that may run. */
export function startNext<Job extends StartableJob>(queue: FairQueue<Job>): void {
  for (let job = queue.next(); job; job = queue.next()) job.start()
}
