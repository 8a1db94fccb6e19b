import {
  isExpensive,
  jobsOfLane,
  type Lanes,
  laneOf,
  partyKey,
  placesForExpensive,
  type QueuedJob,
  type Shares,
} from './lanes'

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
export function expectedWait(job: QueuedJob, queue: Queue): number {
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
