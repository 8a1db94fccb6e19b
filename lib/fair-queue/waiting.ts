import type { QueuedJob } from './queued-job'

/** Jobs by lane, then by network, then by address, in the order of turns: a Map iterates in insertion order. */
export type Lines<Job extends QueuedJob = QueuedJob> = ReadonlyMap<
  string,
  ReadonlyMap<string, ReadonlyMap<string, readonly Job[]>>
>

/** The jobs that wait for their turn. */
export class Waiting<Job extends QueuedJob> {
  readonly #lanes = new Map<string, Map<string, Map<string, Job[]>>>()

  get lines(): Lines<Job> {
    return this.#lanes
  }

  jobs(): Job[] {
    return jobsOf(this.#lanes) as Job[]
  }

  add(job: Job): void {
    const networks = getOrAdd(this.#lanes, laneOf(job), () => new Map<string, Map<string, Job[]>>())
    const addresses = getOrAdd(networks, job.network, () => new Map<string, Job[]>())
    getOrAdd(addresses, job.address, () => []).push(job)
  }

  /** @returns false if the job was not waiting */
  remove(job: Job): boolean {
    const { networks, addresses, jobs } = this.#lineOf(job)
    const at = jobs?.indexOf(job) ?? -1
    if (!jobs || at < 0) return false
    jobs.splice(at, 1)
    if (jobs.length === 0) addresses?.delete(job.address)
    if (addresses?.size === 0) networks?.delete(job.network)
    if (networks?.size === 0) this.#lanes.delete(laneOf(job))
    return true
  }

  /** Removes the job, whose turn it is, and lets its address, its network and its lane wait for their next. */
  take(job: Job): void {
    this.remove(job)
    const { networks, addresses, jobs } = this.#lineOf(job)
    if (addresses && jobs) moveToEnd(addresses, job.address, jobs)
    if (networks && addresses) moveToEnd(networks, job.network, addresses)
    if (networks) moveToEnd(this.#lanes, laneOf(job), networks)
  }

  /** The first in the order of turns that may have it. */
  first(may: (job: Job) => boolean): Job | undefined {
    for (const networks of this.#lanes.values())
      for (const addresses of networks.values())
        for (const jobs of addresses.values()) {
          const job = jobs.find(may)
          if (job) return job
        }
    return undefined
  }

  #lineOf(job: Job) {
    const networks = this.#lanes.get(laneOf(job))
    const addresses = networks?.get(job.network)
    return { networks, addresses, jobs: addresses?.get(job.address) }
  }
}

export const laneOf = ({ lane = '' }: QueuedJob) => lane

/** In the order of their lines. */
export const jobsOf = (lines: Lines): QueuedJob[] =>
  [...lines.values()]
    .flatMap((networks) => [...networks.values()])
    .flatMap((addresses) => [...addresses.values()].flat())

function moveToEnd<V>(map: Map<string, V>, key: string, value: V) {
  map.delete(key)
  map.set(key, value)
}

function getOrAdd<V>(map: Map<string, V>, key: string, make: () => V): V {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}
