import { useEffect, useRef } from 'react'

/** Shorter than a person takes to read what there is to press. */
const settleMilliseconds = 500

/**
 * Makes a press count only once the window has had the focus for a moment. Another site can close its own window under the pointer
 * between the clicks of a double click, the second of which would answer here.
 */
export function useSettledPress(): (press: () => void) => () => void {
  const focusedAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const note = () => {
      focusedAt.current = performance.now()
    }
    window.addEventListener('focus', note)
    return () => window.removeEventListener('focus', note)
  }, [])
  return (press) => () => {
    if (performance.now() - focusedAt.current > settleMilliseconds) press()
  }
}
