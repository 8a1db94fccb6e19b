'use client'

import { useEffect, useSyncExternalStore } from 'react'
import {
  joinTabs,
  markLeaving,
  sessionEnd,
  subscribeToSessionEnd,
  watchSession,
} from '@/lib/browser/sign-in/session-end'

/** The way in which the page learned that its session has ended; null while it has not. */
export const useSessionEnd = () => useSyncExternalStore(subscribeToSessionEnd, sessionEnd, () => null)

/**
 * Leaves the page when the session has expired, ends in another tab or elsewhere, or gives way to another account's: nothing
 * private may stay on the screen, even if the server cannot be reached.
 */
export function useLeaveOnSessionEnd(expiresAt: string): void {
  useEffect(() => {
    const leave = () => {
      markLeaving()
      // The server decides where to: this URL requires signing in.
      window.location.reload()
    }
    const left = Date.parse(expiresAt) - Date.now()
    // Sets no timer if a clock far ahead says that the session is over already: the page would reload forever.
    const timer = left > 0 ? setTimeout(leave, Math.min(left, longestTimer)) : undefined
    const stops = [joinTabs(leave), watchSession(leave)]
    return () => {
      clearTimeout(timer)
      for (const stop of stops) stop()
    }
  }, [expiresAt])
}

/** Browsers run a timer of more milliseconds at once. */
const longestTimer = 2 ** 31 - 1
