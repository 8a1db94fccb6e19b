import { pageNamespace } from '@/lib/messages/page-words'
import type { Outcome } from '../requests/errors'
import { post } from '../requests/post'
import { runAction } from '../requests/run-action'
import { withSentences } from '../requests/with-sentences'

/** Replaces the account's recovery codes with ten new ones, and passes them to `onCreated`. The server stores only digests, so this is the only copy. */
export function createRecoveryCodes(onCreated: (codes: string[]) => void): Promise<Outcome> {
  const action = async () => onCreated((await post('/api/i/recovery-codes')).codes)
  const { codesFailed, codesLost } = pageNamespace('profile')
  // The server may have replaced the codes before its response was lost.
  const sentences = { offline: codesLost, unreachable: codesLost, unavailable: codesLost, internal_error: codesLost }
  return runAction(withSentences(sentences, action), { title: codesFailed })
}
