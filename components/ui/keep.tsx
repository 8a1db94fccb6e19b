'use client'

import { type ComponentProps, useEffect, useEffectEvent, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { useAnnounce } from '@/components/ui/feedback/announcements'
import { useWords } from '@/components/ui/words/words'
import { sessionEnd } from '@/lib/browser/sign-in/session-end'

/**
 * Makes the browser ask before the person leaves and loses what is shown once, or typed; not once the session is over, when
 * nothing private may stay.
 */
export function useQuestionOnLeaving(isNeeded: () => boolean) {
  const asks = useEffectEvent(() => sessionEnd() !== 'leaving' && isNeeded())
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (asks()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
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
  leave: string
  onBack: () => void
  onLeave: () => void
}

/** Asks before the page drops what it can't show again. */
export function UnsavedDialog({ title, text, back, leave, onBack, onLeave }: UnsavedDialogProps) {
  return (
    <Dialog title={title} busy={false} onClose={onBack}>
      <p className="mt-1 text-muted">{text}</p>
      <DialogButtons>
        <Button look="quiet" onClick={onLeave}>
          {leave}
        </Button>
        <Button ref={focusFirst} onClick={onBack}>
          {back}
        </Button>
      </DialogButtons>
    </Dialog>
  )
}

interface Props extends Pick<ComponentProps<typeof Button>, 'look'> {
  text: string
  /** What it copies, where several such buttons stand: screen readers then tell them apart */
  name?: string | undefined
  /** In place of "Copy" */
  label?: string
  onCopied?: (() => void) | undefined
}

/** How many milliseconds the button shows the outcome of copying. */
const outcomeShownFor = 4_000

export function CopyButton({ text, name, label, onCopied, look = 'secondary' }: Props) {
  const words = useWords('account')
  const announce = useAnnounce()
  const [outcome, setOutcome] = useState<{ label: string } | null>(null)
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(null), outcomeShownFor)
    return () => clearTimeout(timer)
  }, [outcome])
  function showOutcome(label: string) {
    setOutcome({ label })
    announce(label)
  }
  function copy() {
    // An async function, because the call itself may throw where the clipboard is missing or forbidden.
    const write = async () => navigator.clipboard.writeText(text)
    write().then(
      () => {
        showOutcome(words.copied)
        onCopied?.()
      },
      () => showOutcome(words.copyFailed),
    )
  }
  const shown = outcome?.label ?? label ?? words.copy
  return (
    <Button look={look} aria-label={name && `${shown}: ${name}`} onClick={copy}>
      {shown}
    </Button>
  )
}
