'use client'

import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { Callout } from '@/components/ui/feedback/callout'
import { useWords } from '@/components/ui/words/words'
import { type Failure, type Outcome, type PromptEnd, promptEndOf } from '@/lib/browser/failures/outcomes'
import { cancelPrompt, isPromptOpen, subscribeToPrompt } from '@/lib/browser/passkeys/prompt'
import type { Words } from '@/lib/messages/en'

export interface StatusMessage {
  tone: 'info' | 'success'
  text: string
}

interface Shown {
  place: string
  inDialog?: boolean
  alert?: { title: string; detail: string; isHarmless?: boolean; needsSupport?: boolean } | null
  status?: StatusMessage | undefined
}

interface PageFeedback {
  supportUrl: string | null
  shown: Shown | null
  /** Replaces the page's current message. */
  show(next: Shown | null): void
  /** Shows a success message at a place. */
  showDone(place: string, text: string): void
  /** Clears the message of a place that goes away */
  withdraw(place: string): void
  /** Moves the focus once the current update is on the page; before that, the target may be missing or disabled. */
  focusAfterUpdate(find: () => HTMLElement | null | undefined): void
}

const Context = createContext<PageFeedback | null>(null)

/** The page's only channel for messages, and the only place that moves the focus after an action. */
export function PageFeedbackProvider({ supportUrl, children }: { supportUrl: string | null; children: ReactNode }) {
  const [shown, show] = useState<Shown | null>(null)
  const [focus, setFocus] = useState<{ find(): HTMLElement | null | undefined } | null>(null)
  useEffect(() => focus?.find()?.focus(), [focus])
  const feedback: PageFeedback = {
    supportUrl,
    shown,
    show,
    showDone: (place, text) => show({ place, status: { tone: 'success', text } }),
    withdraw: (place) => show((now) => (now?.place === place ? null : now)),
    focusAfterUpdate: (find) => setFocus({ find }),
  }
  return <Context value={feedback}>{children}</Context>
}

export function usePageFeedback(): PageFeedback {
  const feedback = useContext(Context)
  if (!feedback) throw new Error('usePageFeedback needs a PageFeedbackProvider')
  return feedback
}

/** True while the page waits for a device, with a prompt of the browser open. */
export const useIsPromptOpen = () => useSyncExternalStore(subscribeToPrompt, isPromptOpen, () => false)

/** Tells screen readers that the page waits for a device; sighted people see that on the button. */
export function WaitingForDevice() {
  const { waiting } = useWords('forms')
  return useIsPromptOpen() && <p className="sr-only">{waiting}</p>
}

interface MessagesProps {
  place: string
  /** Makes this the live region: on a page with one place for messages, and in a dialog, which makes the page's inert. */
  live?: boolean
  /** True if the live region also says that the page waits for a device, like that of `Announcements` */
  showsWaiting?: boolean
  className?: string
}

/**
 * The messages of one part of the page. Renders live regions even when empty, without the gap of the form around them: screen readers
 * announce changes only in regions they know.
 */
export function Messages({
  place,
  live,
  showsWaiting = live,
  className = 'empty:mb-0 has-data-tone:mb-5',
}: MessagesProps) {
  const { shown, supportUrl, withdraw } = usePageFeedback()
  const leave = useEffectEvent(() => withdraw(place))
  useEffect(() => () => leave(), [])
  const { contactSupport } = useWords('failures')
  const { alert, status } = shown?.place === place ? shown : {}
  return (
    <>
      <div role={live ? 'alert' : undefined} className={className}>
        {alert && (
          <Callout tone={alert.isHarmless ? 'info' : 'danger'}>
            <p className="font-semibold in-data-[tone=danger]:text-danger">{alert.title}</p>
            <p>
              {alert.detail}
              {alert.needsSupport && supportUrl !== null && (
                <>
                  {' '}
                  <a href={supportUrl} className="font-medium underline">
                    {contactSupport}
                  </a>
                </>
              )}
            </p>
          </Callout>
        )}
      </div>
      <div role={live ? 'status' : undefined} className={className}>
        {showsWaiting && <WaitingForDevice />}
        {status && <Callout tone={status.tone}>{status.text}</Callout>}
      </div>
    </>
  )
}

/**
 * Runs on success. Returns a message to show (a plain text is a success), or nothing if the form or the page goes away, when
 * `pending` stays set.
 */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a message returns nothing.
export type OnDone = () => StatusMessage | string | void

/** The end of an action, or a message to show instead. */
type Ended = Outcome | StatusMessage

export interface Action {
  place: string
  inDialog: boolean
  /** The running action, by the name passed to `run`; null when idle. */
  pending: string | null
  /** True if other actions have to wait. While a prompt is open they do not, because it gives way to them */
  busy: boolean
  failure: Failure | null
  /** The end of the last prompt without a passkey */
  cancelled: PromptEnd | null
  /**
   * Runs one action, and after success `onDone`. Ignores the call while another action is running, unless that one has a prompt
   * open, which this cancels.
   *
   * @returns the outcome; null for an ignored call
   */
  run(name: string, action: () => Promise<Ended>, onDone: OnDone): Promise<Ended | null>
  /** The two halves of `run`, for an action that starts outside the page (autofill). */
  begin(name: string): void
  settle(outcome: Ended, onDone: OnDone): void
  /** Forgets the last failure, so that cancelling an open prompt does not show it again. */
  dropFailure(): void
  /** Forgets the error of a field, because its value changes. */
  dropFieldError(name: string): void
  /** Rejects the form before the page sends it, with a sentence per field. */
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
  function succeed(message: ReturnType<OnDone>) {
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

/**
 * The message after a prompt; none if the page itself has cancelled it, because the person pressed "Cancel", or something else.
 */
const statusOfPrompt = (end: PromptEnd, words: Words['forms']['prompt']): StatusMessage | undefined =>
  end === 'cancelled' ? undefined : { tone: 'info', text: words[end] }

/** The failure that a form shows: at its fields, or as an alert at its place. */
function useFailure({ place, inDialog }: { place: string; inDialog: boolean }) {
  const { show, withdraw } = usePageFeedback()
  const [failure, setFailure] = useState<Failure | null>(null)
  const previous = useRef<Failure | null>(null)
  return {
    failure,
    /** Clears the messages when an action begins. */
    clear() {
      // Errors at fields do not come back, since the person may have mended them.
      previous.current = failure?.title ? failure : null
      setFailure(null)
      show(null)
    },
    fail(failure: Failure) {
      setFailure(failure)
      // Errors at fields have no title: the focus moves to the first one, and its sentence is read then.
      if (failure.title) show({ place, inDialog, alert: failure })
    },
    /** Ends an action that has done nothing. Without a message of its own, the failure from before it comes back. */
    stayAsBefore(status: StatusMessage | undefined) {
      // One that locks the form explains it for as long.
      const alert = status && !previous.current?.retryAfter ? null : previous.current
      // Without one, errors at fields since the action began stay.
      if (alert) setFailure(alert)
      // Without either, leaves the page's message, which is another action's, such as the one that this dialog belonged to.
      if (alert || status) show({ place, inDialog, alert, status })
    },
    drop: {
      dropFieldError(name: string) {
        if (!failure || !(name in failure.fields)) return
        const { [name]: _, ...fields } = failure.fields
        setFailure({ ...failure, fields })
      },
      dropFailure() {
        previous.current = null
        setFailure(null)
        // Leaves the messages of other places, such as the end of the session, which closes this form's dialog.
        withdraw(place)
      },
    },
  }
}
