'use client'

import { useEffect } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { sessionEnd } from '@/lib/browser/sign-in/session-end'

/**
 * Makes the browser ask before the person leaves and loses what is shown once; not once the session is over, when nothing private may stay.
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

interface UnsavedDialogProps {
  title: string
  text: string
  /** The labels of the buttons that lead back to it, and on */
  back: string
  saved: string
  onBack: () => void
  onSaved: () => void
}

/** Asks before the page drops what it can't show again. */
export function UnsavedDialog({ title, text, back, saved, onBack, onSaved }: UnsavedDialogProps) {
  return (
    <Dialog title={title} busy={false} onClose={onBack}>
      <p className="mt-1 text-muted">{text}</p>
      <DialogButtons>
        <Button look="quiet" onClick={onSaved}>
          {saved}
        </Button>
        <Button ref={focusFirst} onClick={onBack}>
          {back}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}
