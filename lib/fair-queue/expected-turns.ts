/** Networks take turns: an IPv4 address, or the IPv6 /48 around a /64. */
export interface Turn {
  account: string
  address: string
  network: string
  /** Of a usual job it is 1. */
  work: number
}

export interface Shares {
  /** Jobs that run at once. */
  places: number
  perAccount: number
  perAddress: number
}

/** Waiting jobs by network, then by address. */
export type Lines<Job> = ReadonlyMap<string, ReadonlyMap<string, readonly Job[]>>

const expensiveWork = 2
export const isExpensive = ({ work }: Pick<Turn, 'work'>) => work >= expensiveWork
const isCheap = (job: Turn) => !isExpensive(job)

/** Expensive jobs hold their places for seconds, so the last place is left to the others. */
export const placesForExpensive = ({ places }: Shares) => Math.max(1, places - 1)

/**
 * How long a new job would wait, in durations of a job of work 1: for running jobs, and for those of other addresses and
 * networks whose turn comes first. The length of the queue says little, since most wait behind jobs of their own line.
 */
export function expectedTurns(turn: Turn, shares: Shares, running: readonly Turn[], waiting: Lines<Turn>): number {
  const { places, perAccount, perAddress } = shares
  const jobs = [...waiting.values()].flatMap((addresses) => [...addresses.values()].flat())
  // Expensive and cheap jobs overtake each other.
  const alike = jobs.filter((job) => isExpensive(job) === isExpensive(turn))
  const sharing = (key: 'account' | 'address' | 'network', isCounted = (_: Turn) => true) => [
    ...running.filter((job) => isCounted(job) && job[key] === turn[key]).map(workLeft),
    ...alike.filter((job) => job[key] === turn[key]).map(workOf),
  ]
  const ahead = (runs: (job: Turn) => boolean, waits: (job: Turn) => boolean) => [
    ...running.filter(runs).map(workLeft),
    ...waitingAhead(turn, waiting, waits).map(workOf),
  ]
  const inShares = Math.max(late(sharing('account'), perAccount), late(sharing('address'), perAddress))
  if (isExpensive(turn)) {
    const behindAll = late(
      ahead(
        () => true,
        () => true,
      ),
      places,
    )
    return Math.max(
      inShares,
      behindAll,
      late(ahead(isExpensive, isExpensive), placesForExpensive(shares)),
      late(sharing('network', isExpensive), 1),
    )
  }
  // Expensive jobs get one place per network; a single place alternates between expensive and cheap ones.
  const networksOfExpensive = new Set([...running, ...jobs].filter(isExpensive).map(({ network }) => network)).size
  const left = Math.max(1, places - Math.min(networksOfExpensive, placesForExpensive(shares)))
  return Math.max(
    inShares,
    late(
      ahead((job) => places === 1 || isCheap(job), isCheap),
      left,
    ),
  )
}

/** The counted jobs whose turn comes before a new one's. */
function waitingAhead({ address, network }: Turn, waiting: Lines<Turn>, counts: (job: Turn) => boolean): Turn[] {
  const counted = (jobs: readonly Turn[] = []) => jobs.filter(counts)
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
const turnsAmong = (others: Turn[][], own: Turn[]) => [
  ...own,
  ...others.flatMap((line) => line.slice(0, own.length + 1)),
]

const workOf = ({ work }: Turn) => work
/** A running expensive job is half done on average; for cheap ones it does not matter. */
const workLeft = (job: Turn) => (isExpensive(job) ? job.work / 2 : job.work)

/** No wait while a place is free; otherwise the average work, times the jobs that must finish first per place. */
function late(works: number[], places: number): number {
  const total = works.reduce((sum, work) => sum + work, 0)
  return works.length < places ? 0 : ((works.length + 1 - places) / places) * (total / works.length)
}
