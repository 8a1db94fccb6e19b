import { isExpensive, placesForExpensive, type QueuedJob, type Shares } from './queued-job'

/** Waiting jobs by network, then by address. */
type Lines = ReadonlyMap<string, ReadonlyMap<string, readonly QueuedJob[]>>

interface Queue {
  shares: Shares
  running: readonly QueuedJob[]
  waiting: Lines
}

/**
 * How long a new job would wait, in durations of a job of work 1: for running jobs, and for those of other addresses and
 * networks whose turn comes first. The length of the queue says little, since most wait behind jobs of their own line.
 */
export function expectedWait(job: QueuedJob, queue: Queue): number {
  const waitForPlace = isExpensive(job) ? waitIfExpensive : waitIfCheap
  return Math.max(waitForShares(job, queue), waitForPlace(job, queue))
}

/** Behind the jobs of its account, and of its address. */
function waitForShares(job: QueuedJob, { shares: { perAccount, perAddress }, running, waiting }: Queue): number {
  // Expensive and cheap jobs overtake each other.
  const ofSameKind = jobsOf(waiting).filter((other) => isExpensive(other) === isExpensive(job))
  const behind = (key: 'account' | 'address', places: number | undefined) => {
    if (places === undefined || job[key] === undefined) return 0
    const hasSame = (other: QueuedJob) => other[key] === job[key]
    return waitBehind(running.filter(hasSame), ofSameKind.filter(hasSame), places)
  }
  return Math.max(behind('account', perAccount), behind('address', perAddress))
}

/** Behind all jobs, behind those that are expensive, too, and behind those of its network, which has one place for them. */
function waitIfExpensive(job: QueuedJob, { shares, running, waiting }: Queue): number {
  const isOfNetwork = (other: QueuedJob) => isExpensive(other) && other.network === job.network
  return Math.max(
    waitBehind(running, waitingAhead(job, waiting, isAny), shares.places),
    waitBehind(running.filter(isExpensive), waitingAhead(job, waiting, isExpensive), placesForExpensive(shares)),
    waitBehind(running.filter(isOfNetwork), jobsOf(waiting).filter(isOfNetwork), 1),
  )
}

/** Behind the cheap jobs, in the places that expensive ones leave: these get one for each network. */
function waitIfCheap(job: QueuedJob, { shares, running, waiting }: Queue): number {
  const expensive = [...running, ...jobsOf(waiting)].filter(isExpensive)
  const networks = new Set(expensive.map(({ network }) => network)).size
  const left = Math.max(1, shares.places - Math.min(networks, placesForExpensive(shares)))
  // A single place alternates between expensive and cheap jobs.
  const ahead = shares.places === 1 ? running : running.filter(isCheap)
  return waitBehind(ahead, waitingAhead(job, waiting, isCheap), left)
}

/** The counted jobs whose turn comes before a new one's. */
function waitingAhead(
  { address, network }: QueuedJob,
  waiting: Lines,
  counts: (job: QueuedJob) => boolean,
): QueuedJob[] {
  const counted = (jobs: readonly QueuedJob[] = []) => jobs.filter(counts)
  const own = waiting.get(network)
  const ofAddress = counted(own?.get(address))
  const lines = [...(own ?? [])].map(([other, jobs]) => (other === address ? [] : counted(jobs)))
  const inNetwork = turnsAmong(lines, ofAddress)
  const networks = [...waiting].map(([other, addresses]) =>
    other === network ? [] : counted([...addresses.values()].flat()),
  )
  return turnsAmong(networks, inNetwork)
}

/** All jobs of its own line, and from each other line those whose turn comes meanwhile. */
const turnsAmong = (others: QueuedJob[][], own: QueuedJob[]) => [
  ...own,
  ...others.flatMap((line) => line.slice(0, own.length + 1)),
]

const jobsOf = (waiting: Lines) => [...waiting.values()].flatMap((addresses) => [...addresses.values()].flat())

const isAny = () => true
const isCheap = (job: QueuedJob) => !isExpensive(job)

const workOf = ({ work }: QueuedJob) => work
/** A running expensive job is half done on average; for cheap ones it does not matter. */
const workLeft = (job: QueuedJob) => (isExpensive(job) ? job.work / 2 : job.work)

/** No wait while a place is free; otherwise the average work, times the jobs that must finish first per place. */
function waitBehind(running: readonly QueuedJob[], waiting: readonly QueuedJob[], places: number): number {
  const works = [...running.map(workLeft), ...waiting.map(workOf)]
  const total = works.reduce((sum, work) => sum + work, 0)
  return works.length < places ? 0 : ((works.length + 1 - places) / places) * (total / works.length)
}
