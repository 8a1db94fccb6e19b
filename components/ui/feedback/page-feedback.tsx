'use client'

import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react'

import { Callout } from '@/components/ui/feedback/callout'
import { useWords } from '@/components/ui/words/words'
import { isPromptOpen, subscribeToPrompt } from '@/lib/browser/passkeys/prompt'

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
 * The messages of one part of the page. Renders live regions even when empty: screen readers announce changes only in regions
 * they know.
 */
export function Messages({ place, live, showsWaiting = live, className = 'has-data-tone:mb-5' }: MessagesProps) {
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
