import { pageNamespace } from '@/lib/messages/browser-words'
import type { Outcome } from '../failures/outcomes'
import { runAction } from '../failures/run-action'
import { withSentences } from '../failures/with-sentences'
import { post } from '../requests/post'

/** Replaces the account's recovery codes with ten new ones, and passes them to `onCreated`. The server stores only digests, so this is the only copy. */
export function createRecoveryCodes(onCreated: (codes: string[]) => void): Promise<Outcome> {
  const action = async () => onCreated((await post('/api/i/recovery-codes')).codes)
  const { codesFailed, codesLost } = pageNamespace('profile')
  // The server may have replaced the codes before its response was lost.
  const sentences = { offline: codesLost, unreachable: codesLost, unavailable: codesLost, internal_error: codesLost }
  return runAction(withSentences(sentences, action), { title: codesFailed })
}
