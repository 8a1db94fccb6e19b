'use client'

import type { RefObject } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import type { StatusMessage } from '@/components/ui/feedback/page-feedback'
import { type Action, type ActionOptions, type OnDone, useAction } from '@/components/ui/feedback/use-action'
import { useWords } from '@/components/ui/words/words'
import { isFailure, type Outcome } from '@/lib/browser/failures/outcomes'
import { requestStepUp } from '@/lib/browser/requests/step-up'
import { sessionEnd, unlessSessionEnded } from '@/lib/browser/sign-in/session-end'
import type { Reauthentication } from '../reauthentication-dialog'

type AccountOperation = (reauthentication: Reauthentication) => Promise<Outcome>

export interface AccountAction extends Action {
  /** Runs an operation; if it requires reauthentication, asks the other tabs and then the person, and runs it again. */
  run(name: string, operation: AccountOperation, onDone: OnDone): ReturnType<Action['run']>
}

export function useAccountAction(scope: RefObject<HTMLElement | null>, options?: ActionOptions): AccountAction {
  const { notConfirmed } = useWords('account')
  const { reauthenticate } = useAccountContext()
  const base = useAction(scope, options)

  async function withReauthentication(operation: AccountOperation): Promise<Outcome | StatusMessage> {
    const attempt = async (given: Reauthentication = {}) => unlessSessionEnded(await operation(given))
    let outcome = await attempt()
    if (requiresReauthentication(outcome) && (await requestStepUp())) outcome = await attempt()
    if (!requiresReauthentication(outcome)) return outcome
    const reauthentication = await reauthenticate()
    if (reauthentication) return attempt(reauthentication)
    return sessionEnd() ? { cancelled: 'cancelled' } : { tone: 'info', text: notConfirmed }
  }
  return { ...base, run: (name, operation, onDone) => base.run(name, () => withReauthentication(operation), onDone) }
}

const requiresReauthentication = (outcome: Outcome) => isFailure(outcome, 'reauthentication_required')
