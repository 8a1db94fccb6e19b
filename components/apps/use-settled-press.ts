import { type MouseEvent, useEffect, useRef } from 'react'
import { settleMilliseconds } from '@/components/ui/page/settle-milliseconds'

/**
 * Makes a click count only once the window has had the focus for a moment. Another site can close its own window under the pointer
 * between the clicks of a double click, the second of which would answer here. `PressKeeper` does the same before React listens.
 */
export function useSettledPress(): (press: () => void) => (event: MouseEvent) => void {
  const focusedAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const note = ({ timeStamp }: Event) => {
      focusedAt.current = timeStamp
    }
    window.addEventListener('focus', note)
    return () => window.removeEventListener('focus', note)
  }, [])
  return (press) =>
    ({ detail, timeStamp }) => {
      // Keys and screen readers press without a pointer, and may hand over the focus themselves.
      if (detail === 0 || timeStamp - focusedAt.current > settleMilliseconds) press()
    }
}
