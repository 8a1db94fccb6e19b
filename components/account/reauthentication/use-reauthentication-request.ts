'use client'

import { useRef, useState } from 'react'
import type { Reauthentication } from '@/components/account/reauthentication/reauthentication-form'

/** Null if the person cancels. */
type Answer = Reauthentication | null
type Settle = (answer: Answer) => void

/** The page's one request to sign in again, which its dialog answers. */
export function useReauthenticationRequest() {
  // State, so that a dialog answers its own request alone: a response can arrive after another dialog has opened.
  const [open, setOpen] = useState<Settle | null>(null)
  // A reference beside it, which two requests of one rendering share: the second cancels the first, which would otherwise wait
  // forever.
  const waiting = useRef<Settle | null>(null)
  function reauthenticate(): Promise<Answer> {
    waiting.current?.(null)
    return new Promise((settle) => {
      waiting.current = settle
      setOpen(() => settle)
    })
  }
  function answer(given: Answer) {
    open?.(given)
    if (waiting.current === open) waiting.current = null
    setOpen((now: typeof open) => (now === open ? null : now))
  }
  return { reauthenticate, answer, isOpen: open !== null }
}
