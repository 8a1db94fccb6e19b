import {
  isExpensive,
  jobsOfLane,
  type Lanes,
  laneOf,
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

interface Queue {
  shares: Shares
  running: readonly QueuedJob[]
  waiting: Lanes
}

/** Places that a job waits for: the jobs in them, and those that get them before it. */
interface Contested {
  places: number
  running: readonly QueuedJob[]
  ahead: readonly QueuedJob[]
}

/**
 * Foresees a new job's wait, in durations of a job of work 1: for running jobs, and for those of other lines, parties and lanes
 * whose turn comes first. The length of the queue says little, since most jobs wait behind others of their own line.
 */
function expectedWait(job: QueuedJob, queue: Queue): number {
  const all = [
    ...sharesOf(job, queue),
    ...(isExpensive(job) ? placesIfExpensive(job, queue) : placesIfCheap(job, queue)),
  ]
  return Math.max(...all.map(waitFor))
}

/** The shares of its account and of its address. */
function sharesOf(job: QueuedJob, { shares: { perAccount, perAddress }, running, waiting }: Queue): Contested[] {
  // Counts jobs of one kind, because expensive and cheap jobs overtake each other.
  const isOfSameKind = (other: QueuedJob) => isExpensive(other) === isExpensive(job)
  const share = (key: 'account' | 'address', places: number): Contested => {
    const hasSame = (other: QueuedJob) => other[key] === job[key]
    const ahead = aheadOf(job, waiting, (other) => isOfSameKind(other) && hasSame(other))
    return { places, running: running.filter(hasSame), ahead }
  }
  const ofAccount = perAccount === undefined || job.account === undefined ? [] : [share('account', perAccount)]
  return [...ofAccount, share('address', perAddress)]
}

/** Three limits of an expensive job: all places, those for expensive jobs, and the one of these that its party has. */
function placesIfExpensive(job: QueuedJob, { shares, running, waiting }: Queue): Contested[] {
  const isOfParty = (other: QueuedJob) => isExpensive(other) && partyKey(other) === partyKey(job)
  return [
    { places: shares.places, running, ahead: aheadOf(job, waiting, isAny) },
    {
      places: placesForExpensive(shares),
      running: running.filter(isExpensive),
      ahead: aheadOf(job, waiting, isExpensive),
    },
    { places: 1, running: running.filter(isOfParty), ahead: jobsIn(waiting).filter(isOfParty) },
  ]
}

/** The places that expensive jobs leave: these get one for each party. */
function placesIfCheap(job: QueuedJob, { shares, running, waiting }: Queue): Contested[] {
  const expensive = [...running, ...jobsIn(waiting)].filter(isExpensive)
  const parties = new Set(expensive.map(partyKey)).size
  return [
    {
      places: Math.max(1, shares.places - Math.min(parties, placesForExpensive(shares))),
      // A single place alternates between expensive and cheap jobs.
      running: shares.places === 1 ? running : running.filter(isCheap),
      ahead: aheadOf(job, waiting, isCheap),
    },
  ]
}

/** The waiting jobs that count, and whose turn comes before a new one's. */
function aheadOf(job: QueuedJob, waiting: Lanes, counts: (job: QueuedJob) => boolean): QueuedJob[] {
  const lane = laneOf(job)
  const parties = waiting.get(lane)
  const lines = parties?.get(job.party)
  const counted = (jobs: readonly QueuedJob[] = []) => jobs.filter(counts)
  const inLine = counted(lines?.get(job.line))
  const inParty = turnsAmong(inLine, linesBeside(job.line, lines).map(counted))
  const inLane = turnsAmong(
    inParty,
    linesBeside(job.party, parties).map((line) => counted([...line.values()].flat())),
  )
  return turnsAmong(
    inLane,
    linesBeside(lane, waiting).map((line) => counted(jobsOfLane(line))),
  )
}

const linesBeside = <V>(own: string, lines: ReadonlyMap<string, V> = new Map()): V[] =>
  [...lines].filter(([name]) => name !== own).map(([, line]) => line)

/** All jobs of its own line, and from each other line those whose turn comes meanwhile. */
const turnsAmong = (own: QueuedJob[], others: QueuedJob[][]) => [
  ...own,
  ...others.flatMap((line) => line.slice(0, own.length + 1)),
]

const jobsIn = (waiting: Lanes) => [...waiting.values()].flatMap(jobsOfLane)

const isAny = () => true
const isCheap = (job: QueuedJob) => !isExpensive(job)

/** A running expensive job is half done on average; for cheap ones it does not matter. */
const workLeft = (job: QueuedJob) => (isExpensive(job) ? job.work / 2 : job.work)

/** Zero while a place is free; else the average work, times the jobs per place that must finish first. */
function waitFor({ places, running, ahead }: Contested): number {
  const works = [...running.map(workLeft), ...ahead.map(({ work }) => work)]
  const total = works.reduce((sum, work) => sum + work, 0)
  return works.length < places ? 0 : ((works.length + 1 - places) / places) * (total / works.length)
}
