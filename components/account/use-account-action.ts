'use client'

import { type RefObject, useId, useState } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import type { Reauthentication } from '@/components/account/reauthentication-form'
import { type Action, type Remark, useAction } from '@/components/ui/use-action'
import type { Outcome } from '@/lib/browser/errors'

export interface AccountAction extends Action {
  /** Runs an action; one that needs a fresh sign-in asks for it and then runs again by itself, and is told what was confirmed. */
  run(name: string, action: (reauthentication: Reauthentication) => Promise<Outcome>): Promise<void>
}

/** One action at a time on the signed-in account, as `useAction` does it. */
export function useAccountAction(
  scope: RefObject<HTMLElement | null>,
  onDone: () => string | undefined,
): AccountAction {
  const id = useId()
  const { reauthenticate, latest, begin } = useAccountPage()
  const [calledOff, setCalledOff] = useState(false)
  const base = useAction(scope, onDone)

  async function withReauthentication(
    action: (reauthentication: Reauthentication) => Promise<Outcome>,
  ): Promise<Outcome> {
    const outcome = await action({})
    if (typeof outcome !== 'object' || outcome.code !== 'reauthentication_required') return outcome
    const reauthentication = await reauthenticate()
    if (reauthentication) return action(reauthentication)
    setCalledOff(true)
    return 'cancelled'
  }
  function run(name: string, action: (reauthentication: Reauthentication) => Promise<Outcome>) {
    return base.run(name, () => {
      setCalledOff(false)
      begin(id)
      return withReauthentication(action)
    })
  }
  const remark = calledOff && base.remark ? notReauthenticated : base.remark
  return { ...base, run, remark: latest === id ? remark : null }
}

const notReauthenticated: Remark = { tone: 'info', text: 'You did not sign in again, so nothing has changed.' }
