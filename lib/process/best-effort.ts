import { log } from './log'

/** For work that follows a final outcome, such as a committed write. Never throws: failures are logged. */
export async function bestEffort(work: () => Promise<unknown>, message: string, details = {}): Promise<void> {
  try {
    await work()
  } catch (err) {
    log().warn({ err, ...details }, message)
  }
}
