'use client'

import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'

interface DialogProps {
  title: string
  /** While this is so, Escape does not close it: what was begun would go on unseen. */
  busy: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * A modal dialog, open for as long as it is rendered. The browser keeps the focus inside, makes the page behind it inert and
 * gives the focus back afterwards (HTML, "the dialog element").
 */
export function Dialog({ title, busy, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closed before it is taken from the page: otherwise the focus would be lost.
    return () => element?.close()
  }, [])

  function cancel(event: SyntheticEvent<HTMLDialogElement>) {
    // Left to the browser, it would be closed and have given the focus back a moment before we know of it.
    event.preventDefault()
    if (!busy) onClose()
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={cancel}
      // Browsers let nobody be locked in: a second Escape closes it whatever we say. A dialog that is open again has only been mounted twice.
      onClose={(event) => !event.currentTarget.open && onClose()}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[min(27rem,calc(100vw-2rem))] overflow-y-auto rounded-card border border-line bg-surface px-5 py-6 text-ink backdrop:bg-scrim sm:px-7 sm:py-7"
    >
      <h2 id={titleId} className="text-title font-semibold">
        {title}
      </h2>
      {children}
    </dialog>
  )
}

/** What to do about a dialog: the way out first, so that it gets the focus where nothing is to be filled in. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2.5 sm:flex-row sm:justify-end">{children}</div>
}
