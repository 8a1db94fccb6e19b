'use client'

import { createContext, type ReactNode, useContext, useReducer } from 'react'
import { usePageFeedback, WaitingForDevice } from '@/components/ui/feedback/page-feedback'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'

const Context = createContext<(text: string) => void>(() => undefined)

/** Says something to screen readers only, for a change that the page shows in another way. */
export const useAnnounce = () => useContext(Context)

/** The live regions of a page whose messages appear in several places. For screen readers only; dialogs have their own. */
export function Announcements({ children }: { children: ReactNode }) {
  const { because } = useWords('failures')
  const fill = useFill()
  const { shown } = usePageFeedback()
  // Its own key makes the same text another element: screen readers say nothing of one that stays.
  const [announced, announce] = useReducer(({ key }, text: string) => ({ text, key: key + 1 }), { text: '', key: 0 })
  const { alert, status } = shown && !shown.inDialog ? shown : {}
  return (
    <Context value={announce}>
      {children}
      <div className="sr-only">
        <div role="alert">{alert && fill(because, { action: alert.title, detail: alert.detail })}</div>
        <div role="status" aria-atomic="false">
          <WaitingForDevice />
          {status && <p>{status.text}</p>}
          {announced.text && <p key={announced.key}>{announced.text}</p>}
        </div>
      </div>
    </Context>
  )
}
