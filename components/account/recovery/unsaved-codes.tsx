'use client'

import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { useWords } from '@/components/ui/words/words'
import { sessionEnd } from '@/lib/browser/sign-in/session-end'

/** Has the browser ask before the page is left, while that loses something. Not when the session is over: nothing private stays then. */
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

/** For the dialog, which focuses when it opens: React's `autoFocus` would come before, and leaves no attribute. */
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
