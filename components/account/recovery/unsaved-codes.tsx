'use client'

import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { useWords } from '@/components/ui/words/words'
import { sessionEnd } from '@/lib/browser/sign-in/session-end'

/**
 * Makes the browser ask before the person leaves and loses codes; not once the session is over, when nothing private may stay.
 */
export function useQuestionOnLeaving(isNeeded: boolean) {
  useEffect(() => {
    if (!isNeeded) return
    const ask = (event: BeforeUnloadEvent) => {
      if (sessionEnd() !== 'leaving') event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isNeeded])
}

/**
 * Marks the button that the dialog focuses when it opens: React's `autoFocus` would come too early, and leaves no attribute.
 */
const focusFirst = (button: HTMLButtonElement | null) => button?.setAttribute('autofocus', '')

export function UnsavedDialog({ onBack, onSaved }: { onBack: () => void; onSaved: () => void }) {
  const words = useWords('profile')
  return (
    <Dialog title={words.unsavedCodes} busy={false} onClose={onBack}>
      <p className="mt-1 text-muted">{words.unsavedCodesText}</p>
      <DialogButtons>
        <Button look="quiet" onClick={onSaved}>
          {words.codesSaved}
        </Button>
        <Button ref={focusFirst} onClick={onBack}>
          {words.backToCodes}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
