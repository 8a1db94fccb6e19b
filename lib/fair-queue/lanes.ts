/** A job, with those who wait for it and its amount of work. */
export interface QueuedJob {
  /** Lanes take turns, whatever waits in each. Absent: all jobs are in one. */
  lane?: string
  /** Absent if no limit by account applies */
  account?: string
  address: string
  /** Takes turns as one: the addresses of a network */
  party: string
  /** Takes turns within the party: an address, or an account */
  line: string
  /** 1 for a usual job */
  work: number
}

/** A job that `startNext` starts. */
export interface StartableJob extends QueuedJob {
  start(): void
}

export interface Shares {
  /** Jobs that run at once. */
  places: number
  /** Absent if accounts have no limit */
  perAccount?: number
  perAddress: number
}

const expensiveWork = 2

/** Parties of two lanes may have one name. */
export const partyKey = (job: QueuedJob) => `${laneOf(job)} ${job.party}`

export const laneOf = ({ lane = '' }: QueuedJob) => lane

export const isExpensive = ({ work }: Pick<QueuedJob, 'work'>) => work >= expensiveWork

/** Leaves the last place to cheap jobs, because expensive ones hold theirs for seconds. */
export const placesForExpensive = ({ places }: Shares) => Math.max(1, places - 1)

/** Jobs by party, then by line, in the order of turns: a Map iterates in insertion order. */
type Lane<Job extends QueuedJob = QueuedJob> = ReadonlyMap<string, ReadonlyMap<string, readonly Job[]>>
export type Lanes<Job extends QueuedJob = QueuedJob> = ReadonlyMap<string, Lane<Job>>

/** The jobs that wait for their turn. */
export class Waiting<Job extends QueuedJob> {
  readonly #lanes = new Map<string, Map<string, Map<string, Job[]>>>()

  get lanes(): Lanes<Job> {
    return this.#lanes
  }

  jobs(): Job[] {
    return [...this.#lanes.values()].flatMap(jobsOfLane)
  }

  add(job: Job): void {
    const parties = getOrAdd(this.#lanes, laneOf(job), () => new Map<string, Map<string, Job[]>>())
    const lines = getOrAdd(parties, job.party, () => new Map<string, Job[]>())
    getOrAdd(lines, job.line, () => []).push(job)
  }

  /** @returns false if the job was not waiting */
  remove(job: Job): boolean {
    const { parties, lines, jobs } = this.#lineOf(job)
    const at = jobs?.indexOf(job) ?? -1
    if (!jobs || at < 0) return false
    jobs.splice(at, 1)
    if (jobs.length === 0) lines?.delete(job.line)
    if (lines?.size === 0) parties?.delete(job.party)
    if (parties?.size === 0) this.#lanes.delete(laneOf(job))
    return true
  }

  /** Removes the job, whose turn it is, and lets its line, its party and its lane wait for their next. */
  take(job: Job): void {
    this.remove(job)
    const { parties, lines, jobs } = this.#lineOf(job)
    if (lines && jobs) moveToEnd(lines, job.line, jobs)
    if (parties && lines) moveToEnd(parties, job.party, lines)
    if (parties) moveToEnd(this.#lanes, laneOf(job), parties)
  }

  /** The first in the order of turns that may have it. */
  first(may: (job: Job) => boolean): Job | undefined {
    for (const jobs of this.#lines()) {
      const job = jobs.find(may)
      if (job) return job
    }
    return undefined
  }

  *#lines() {
    for (const parties of this.#lanes.values()) for (const lines of parties.values()) yield* lines.values()
  }

  #lineOf(job: Job) {
    const parties = this.#lanes.get(laneOf(job))
    const lines = parties?.get(job.party)
    return { parties, lines, jobs: lines?.get(job.line) }
  }
}

/** All jobs of a lane, in the order of their lines. */
export const jobsOfLane = <Job extends QueuedJob>(lane: Lane<Job>): Job[] =>
  [...lane.values()].flatMap((lines) => [...lines.values()].flat())

function moveToEnd<V>(map: Map<string, V>, key: string, value: V) {
  map.delete(key)
  map.set(key, value)
}

function getOrAdd<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}
