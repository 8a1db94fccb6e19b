import { describeFailure, type Wording } from './describe-failure'
import type { Outcome } from './outcomes'

/** Runs an action and describes its failure. Never rejects, so callers need no catch. */
export async function runAction(action: () => Promise<unknown>, wording: Wording = {}): Promise<Outcome> {
  try {
    await action()
    return 'done'
  } catch (thrown) {
    return describeFailure(thrown, wording)
  }
}
