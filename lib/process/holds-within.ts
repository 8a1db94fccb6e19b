import { resultWithin } from './result-within'

/** False also if the check fails or takes longer. */
export const holdsWithin = async (milliseconds: number, check: () => Promise<boolean>): Promise<boolean> =>
  (await resultWithin(
    milliseconds,
    check().catch(() => false),
  )) ?? false
