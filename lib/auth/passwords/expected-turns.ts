/** Who asks for a hash, and what it takes. A network is what takes turns: an IPv4 address, or the IPv6 /48 around a /64. */
export interface Turn {
  account: string
  address: string
  network: string
  /** In hashes at the configured cost. */
  work: number
}

export interface Shares {
  /** Hashes that run at once. */
  places: number
  /** How many of them one account may have, and one address. */
  perAccount: number
  perAddress: number
}

/** Those that wait by network, then by address. */
export type Lines<Job> = ReadonlyMap<string, ReadonlyMap<string, readonly Job[]>>

/** One cost of bcrypt is a factor of two. */
const dearWork = 2
export const isDear = ({ work }: Pick<Turn, 'work'>) => work >= dearWork
const isCheap = (job: Turn) => !isDear(job)

/** How many places dear jobs may have at once: each holds its own for seconds, and the last is for the others. */
export const dearPlaces = ({ places }: Shares) => Math.max(1, places - 1)

/**
 * How long a new job would wait, in durations of one hash: for those that run, and for as many of every other address
 * and network as have their turn first. The length of the whole queue says little: others wait there behind themselves.
 */
export function expectedTurns(turn: Turn, shares: Shares, running: readonly Turn[], waiting: Lines<Turn>): number {
  const { places, perAccount, perAddress } = shares
  const jobs = [...waiting.values()].flatMap((addresses) => [...addresses.values()].flat())
  // Dear and cheap jobs pass each other.
  const alike = jobs.filter((job) => isDear(job) === isDear(turn))
  const sharing = (key: 'account' | 'address' | 'network', isCounted = (_: Turn) => true) => [
    ...running.filter((job) => isCounted(job) && job[key] === turn[key]).map(workLeft),
    ...alike.filter((job) => job[key] === turn[key]).map(workOf),
  ]
  const ahead = (runs: (job: Turn) => boolean, waits: (job: Turn) => boolean) => [
    ...running.filter(runs).map(workLeft),
    ...waitingAhead(turn, waiting, waits).map(workOf),
  ]
  const inShares = Math.max(late(sharing('account'), perAccount), late(sharing('address'), perAddress))
  if (isDear(turn)) {
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
      late(ahead(isDear, isDear), dearPlaces(shares)),
      late(sharing('network', isDear), 1),
    )
  }
  // One a network, so that many places are theirs; of one place they take turns with the others.
  const dearNetworks = new Set([...running, ...jobs].filter(isDear).map(({ network }) => network)).size
  const left = Math.max(1, places - Math.min(dearNetworks, dearPlaces(shares)))
  return Math.max(
    inShares,
    late(
      ahead((job) => places === 1 || isCheap(job), isCheap),
      left,
    ),
  )
}

/** Of the jobs that count, those whose turn comes before that of a new one. */
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

/** One's own jobs go first, and of every other line as many as have their turn meanwhile. */
const turnsAmong = (others: Turn[][], own: Turn[]) => [
  ...own,
  ...others.flatMap((line) => line.slice(0, own.length + 1)),
]

const workOf = ({ work }: Turn) => work
/** Of a dear job half is over on average; of others it does not matter. */
const workLeft = (job: Turn) => (isDear(job) ? job.work / 2 : job.work)

/** Less than a free place is no wait; a share that is full lasts longer than the places say. */
function late(works: number[], places: number): number {
  const total = works.reduce((sum, work) => sum + work, 0)
  return works.length < places ? 0 : ((works.length + 1 - places) / places) * (total / works.length)
}
