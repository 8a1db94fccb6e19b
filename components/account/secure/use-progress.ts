'use client'

import { useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import type { EventType } from '@/lib/api/schemas'

export type Step = 'passkeys' | 'sessions' | 'password' | 'apps' | 'codes'

export interface Situation {
  /** When the newest notice was; 0 without any. */
  until: number
  /** Whether a stranger may have got in, by the notices: not by attempts alone. */
  mayHaveIntruder: boolean
  hasOtherSessions: boolean
  hasApps: boolean
  /** What this browser has done since the newest notice. */
  done: EventType[]
}

/** Whether nothing has happened, so that everything may stay as it is; the page is an alarm otherwise. */
export const isCheckUp = ({ until }: Pick<Situation, 'until'>) => until === 0

/**
 * The steps, in the order in which they help: a completed step also closes the way back in. Codes come last, because whoever
 * still has the password could create others. One with nothing left to do is over, and keeps its place.
 */
export function useProgress(situation: Situation, { showsCodes }: { showsCodes: boolean }) {
  const { mayHaveIntruder, hasOtherSessions, hasApps, done } = situation
  const { passkeys, hasPassword } = useAccountContext().account
  const includesAll = isCheckUp(situation) || mayHaveIntruder
  // A new password ends the other sessions, too.
  const areOthersOut = done.includes('signed_out_everywhere') || done.includes('password_changed')
  const isConcerned: Record<Step, boolean> = {
    passkeys: useEver(passkeys.length > 0) && includesAll,
    sessions: useEver(hasOtherSessions || areOthersOut) && includesAll,
    password: useEver(hasPassword),
    apps: useEver(hasApps) && includesAll,
    // Codes that are shown are still to be saved.
    codes: includesAll || showsCodes,
  }
  const isOver: Record<Step, boolean> = {
    passkeys: passkeys.length === 0,
    // In a check-up, which lists them, there may be others since.
    sessions: !hasOtherSessions || (areOthersOut && !isCheckUp(situation)),
    password: !hasPassword || done.includes('password_changed'),
    apps: !hasApps,
    codes: done.includes('recovery_codes_made'),
  }
  return steps.filter((step) => isConcerned[step]).map((step) => ({ step, isOver: isOver[step] }))
}

const steps: Step[] = ['passkeys', 'sessions', 'password', 'apps', 'codes']

/** Whether it is so, or was since the page opened. */
function useEver(isSo: boolean): boolean {
  const [was, setWas] = useState(isSo)
  if (isSo && !was) setWas(true)
  return was || isSo
}
