'use client'

import { type RefObject, useEffect, useRef, useState } from 'react'
import type { Failure, Outcome } from '@/lib/browser/errors'

export interface Remark {
  tone: 'info' | 'success'
  text: string
}

export interface Action {
  /** Which action is under way, by the name that `run` got; null when none is. */
  pending: string | null
  failure: Failure | null
  /** What became of the action when that is no failure: done, or called off by the person. */
  remark: Remark | null
  /** Runs one action; without effect while another is under way. */
  run(name: string, action: () => Promise<Outcome>): Promise<void>
  /** The two halves of `run`, for an action that begins outside of the page (autofill). */
  begin(name: string): void
  settle(outcome: Outcome): void
  /** Refuses before anything is sent, with a sentence for each wrong field. */
  setFieldErrors(fields: Record<string, string>): void
}

/**
 * One action at a time, and what became of the last one.
 * @param scope what is searched for the first wrong field, which gets the focus
 * @param onDone after success; gives a remark if the page stays, and nothing if it leaves the page: then `pending` stays on and nothing can be clicked
 */
export function useAction(scope: RefObject<HTMLElement | null>, onDone: () => string | undefined): Action {
  const [pending, setPending] = useState<string | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const [remark, setRemark] = useState<Remark | null>(null)
  const running = useRef(false)
  const lastFailure = useRef<Failure | null>(null)
  const rememberFocus = useFocusAfter(scope, pending, failure)

  function begin(name: string) {
    running.current = true
    rememberFocus()
    lastFailure.current = failure
    setPending(name)
    setFailure(null)
    setRemark(null)
  }
  function settle(outcome: Outcome) {
    const after = outcome === 'done' ? onDone() : outcome
    if (after === undefined) return
    running.current = false
    setPending(null)
    if (typeof after === 'object') return setFailure(after)
    setRemark(after === 'cancelled' ? promptClosed : { tone: 'success', text: after })
    // What was wrong before a prompt that was closed is wrong still, such as a passkey that is not known here.
    if (after === 'cancelled' && lastFailure.current?.title) setFailure(lastFailure.current)
  }
  async function run(name: string, action: () => Promise<Outcome>) {
    if (running.current) return
    begin(name)
    settle(await action())
  }
  function setFieldErrors(fields: Record<string, string>) {
    setRemark(null)
    setFailure({ title: '', detail: '', fields, code: 'invalid_request' })
  }
  return { pending, failure, remark, run, begin, settle, setFieldErrors }
}

const promptClosed: Remark = { tone: 'info', text: 'The passkey prompt was closed. Nothing has changed.' }

/** Puts the focus on the first wrong field, or else back to where it was before the button was disabled, which drops the focus. */
function useFocusAfter(scope: RefObject<HTMLElement | null>, pending: string | null, failure: Failure | null) {
  const before = useRef<Element | null>(null)
  useEffect(() => {
    if (pending !== null) return
    const wrong = failure && scope.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
    if (wrong) return wrong.focus()
    const lost = document.activeElement === document.body
    if (lost && before.current instanceof HTMLElement) before.current.focus()
  }, [scope, pending, failure])
  return () => {
    before.current = document.activeElement
  }
}
