/** Who waits for a job, and how much there is to do. */
export interface QueuedJob {
  account: string
  address: string
  /** The address itself, or those around it that take turns as one. */
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

const expensiveWork = 2

export const isExpensive = ({ work }: Pick<QueuedJob, 'work'>) => work >= expensiveWork

/** Expensive jobs hold their places for seconds, so the last place is left to the others. */
export const placesForExpensive = ({ places }: Shares) => Math.max(1, places - 1)
