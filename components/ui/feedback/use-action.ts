'use client'

import { type RefObject, useId, useRef, useState } from 'react'
import { type StatusMessage, useIsPromptOpen, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { useFailure } from '@/components/ui/feedback/use-failure'
import { useWords } from '@/components/ui/words/words'
import { type Failure, type Outcome, type PromptEnd, promptEndOf } from '@/lib/browser/failures/outcomes'
import { cancelPrompt } from '@/lib/browser/passkeys/prompt'
import type { Words } from '@/lib/messages/en'

/** Called on success. Returns what to show (a plain text is a success); undefined if the form or the page goes away, and `pending` then stays set. */
export type OnDone = () => StatusMessage | string | undefined

/** How an action ended, or what to say instead. */
type Ended = Outcome | StatusMessage

export interface Action {
  place: string
  inDialog: boolean
  /** The running action, by the name passed to `run`; null when idle. */
  pending: string | null
  /** Whether other actions have to wait. They do not while a prompt is open: it gives way to them. */
  busy: boolean
  failure: Failure | null
  /** How the last prompt ended without a passkey. */
  cancelled: PromptEnd | null
  /**
   * Runs one action; ignored while another is running, except that an open prompt is cancelled. `onDone` follows success.
   *
   * @returns the outcome; null if ignored
   */
  run(name: string, action: () => Promise<Ended>, onDone: OnDone): Promise<Ended | null>
  /** The two halves of `run`, for an action that starts outside the page (autofill). */
  begin(name: string): void
  settle(outcome: Ended, onDone: OnDone): void
  /** Forgets the last failure, so that cancelling an open prompt does not show it again. */
  dropFailure(): void
  /** Forgets what is wrong with a field, because it changes. */
  dropFieldError(name: string): void
  /** Rejects the form before it is sent, with a sentence per field. */
  setFieldErrors(fields: Record<string, string>): void
}

export interface ActionOptions {
  place?: string
  inDialog?: boolean
}

/**
 * Runs one action at a time, reports its outcome, and moves the focus to the first invalid field.
 *
 * @param scope where to look for invalid fields
 */
export function useAction(scope: RefObject<HTMLElement | null>, options: ActionOptions = {}): Action {
  const ownPlace = useId()
  const { place = ownPlace, inDialog = false } = options
  const { prompt } = useWords('forms')
  const { show, focusAfterUpdate } = usePageFeedback()
  const { failure, drop, ...report } = useFailure({ place, inDialog })
  const [pending, setPending] = useState<string | null>(null)
  const [cancelled, setCancelled] = useState<PromptEnd | null>(null)
  const running = useRef(false)
  const current = useRef<Promise<void>>(undefined)
  const isPromptOpen = useIsPromptOpen()

  function begin(name: string) {
    running.current = true
    setPending(name)
    report.clear()
  }
  const focusInvalid = () => focusAfterUpdate(() => scope.current?.querySelector<HTMLElement>('[aria-invalid="true"]'))

  function settle(outcome: Ended, onDone: OnDone) {
    // First, so that `onDone` can send the focus elsewhere.
    focusInvalid()
    if (outcome === 'done') return succeed(onDone())
    stop()
    setCancelled('text' in outcome ? null : promptEndOf(outcome))
    if ('fields' in outcome) return report.fail(outcome)
    report.stayAsBefore('text' in outcome ? outcome : statusOfPrompt(outcome.cancelled, prompt))
  }
  function succeed(message: StatusMessage | string | undefined) {
    if (message === undefined) return
    stop()
    show({ place, inDialog, status: typeof message === 'string' ? { tone: 'success', text: message } : message })
  }
  function stop() {
    running.current = false
    setPending(null)
  }
  async function run(name: string, action: () => Promise<Ended>, onDone: OnDone): Promise<Ended | null> {
    if (running.current && cancelPrompt()) await current.current
    if (running.current) return null
    begin(name)
    const outcome = action()
    current.current = outcome.then((ended) => settle(ended, onDone))
    await current.current
    return outcome
  }
  function setFieldErrors(fields: Record<string, string>) {
    show(null)
    report.fail({ title: '', detail: '', fields, code: 'invalid_request' })
    focusInvalid()
  }
  const busy = pending !== null && !isPromptOpen
  return { place, inDialog, pending, busy, failure, cancelled, run, begin, settle, ...drop, setFieldErrors }
}

/** Without one if the page itself has cancelled the prompt: the person pressed "Cancel", or something else. */
const statusOfPrompt = (end: PromptEnd, words: Words['forms']['prompt']): StatusMessage | undefined =>
  end === 'cancelled' ? undefined : { tone: 'info', text: words[end] }
