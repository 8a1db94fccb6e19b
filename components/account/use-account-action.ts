'use client'

import { type RefObject, useId, useState } from 'react'
import { type Confirmed, useAccountPage } from '@/components/account/account-page'
import { type Attempt, type Remark, useAttempt } from '@/components/ui/use-action'
import type { Outcome } from '@/lib/browser/errors'

export interface Action extends Attempt {
  /** Runs an action; one that needs a fresh sign-in asks for it and then runs again by itself, and is told what was confirmed. */
  run(name: string, action: (confirmed: Confirmed) => Promise<Outcome>): Promise<void>
}

/** One action at a time on the signed-in account, as `useAttempt` does it. */
export function useAction(scope: RefObject<HTMLElement | null>, onDone: () => string | undefined): Action {
  const id = useId()
  const { confirm, latest, begin } = useAccountPage()
  const [calledOff, setCalledOff] = useState(false)
  const attempt = useAttempt(scope, onDone)

  async function confirmed(action: (confirmed: Confirmed) => Promise<Outcome>): Promise<Outcome> {
    const outcome = await action({})
    if (typeof outcome !== 'object' || outcome.code !== 'reauthentication_required') return outcome
    const confirmation = await confirm()
    if (confirmation) return action(confirmation)
    setCalledOff(true)
    return 'cancelled'
  }
  function run(name: string, action: (confirmed: Confirmed) => Promise<Outcome>) {
    return attempt.run(name, () => {
      setCalledOff(false)
      begin(id)
      return confirmed(action)
    })
  }
  const remark = calledOff && attempt.remark ? notConfirmed : attempt.remark
  return { ...attempt, run, remark: latest === id ? remark : null }
}

const notConfirmed: Remark = { tone: 'info', text: 'You did not sign in again, so nothing has changed.' }
