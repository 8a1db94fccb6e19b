/** Who waits for a job, and how much there is to do. */
export interface QueuedJob {
  /** Lanes take turns, whatever waits in each. Absent: all jobs are in one. */
  lane?: string
  /** Absent: not limited by account. */
  account?: string
  address: string
  /** Who takes turns as one: the addresses of a network. */
  party: string
  /** Who takes turns within the party: an address, or an account. */
  line: string
  /** 1 for a usual job. */
  work: number
}

/** A job that `startNext` starts. */
export interface StartableJob extends QueuedJob {
  start(): void
}

export interface Shares {
  /** Jobs that run at once. */
  places: number
  /** Absent: accounts are not limited. */
  perAccount?: number
  perAddress: number
}

const expensiveWork = 2

/** Parties of two lanes may have one name. */
export const partyKey = (job: QueuedJob) => `${laneOf(job)} ${job.party}`

export const laneOf = ({ lane = '' }: QueuedJob) => lane

export const isExpensive = ({ work }: Pick<QueuedJob, 'work'>) => work >= expensiveWork

/** Expensive jobs hold their places for seconds, so the last place is left to the others. */
export const placesForExpensive = ({ places }: Shares) => Math.max(1, places - 1)
