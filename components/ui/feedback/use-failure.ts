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
    /** Restores the failure from before an action that has done nothing, such as an unknown passkey's. */
    stayAsBefore(status: StatusMessage | undefined) {
      const alert = previous.current
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
