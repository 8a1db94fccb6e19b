'use client'

import { useRef, useState } from 'react'
import { type StatusMessage, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import type { Failure } from '@/lib/browser/failures/outcomes'

/** The failure that a form shows: at its fields, or as an alert at its place. */
export function useFailure({ place, inDialog }: { place: string; inDialog: boolean }) {
  const { show, withdraw } = usePageFeedback()
  const [failure, setFailure] = useState<Failure | null>(null)
  const previous = useRef<Failure | null>(null)
  return {
    failure,
    /** When an action begins. */
    clear() {
      // Errors at fields do not come back: what was typed since may have mended them.
      previous.current = failure?.title ? failure : null
      setFailure(null)
      show(null)
    },
    fail(failure: Failure) {
      setFailure(failure)
      // Errors at fields have no title: the focus moves to the first one, and its sentence is read then.
      if (failure.title) show({ place, inDialog, alert: failure })
    },
    /** When an action has done nothing: what was wrong before it, such as an unknown passkey, still is. */
    stayAsBefore(status: StatusMessage | undefined) {
      const alert = previous.current
      // Without one, what is wrong with fields since the action began stays.
      if (alert) setFailure(alert)
      // Without either, what the page says is another action's, such as the one that this one's dialog belonged to.
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
        // What another place says stays, such as that the session has ended, which closes this form's dialog.
        withdraw(place)
      },
    },
  }
}
