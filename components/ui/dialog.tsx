'use client'

import { type ReactNode, type SyntheticEvent, useId, useLayoutEffect, useRef } from 'react'

interface DialogProps {
  title: string
  /** True while an action is running, when Escape does not close the dialog */
  busy: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * A modal dialog, open while rendered. The browser keeps the focus inside, makes the page behind it inert and restores the
 * focus afterwards (HTML, "the dialog element").
 */
export function Dialog({ title, busy, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useLayoutEffect(() => {
    const element = dialog.current
    if (element) show(element)
    // Closes first, because removing an open dialog would lose the focus.
    return () => element?.close()
  }, [])

  function cancel(event: SyntheticEvent<HTMLDialogElement>) {
    // Leaves closing to React, so that the dialog and the state agree.
    event.preventDefault()
    if (!busy) onClose()
  }
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={cancel}
      // Tells about a close, also by a second Escape, which nothing can stop. Strict Mode mounts an open dialog twice.
      onClose={(event) => !event.currentTarget.open && onClose()}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[min(27rem,calc(100vw-min(2rem,8vw)))] overflow-y-auto rounded-card border border-line bg-surface px-card py-6 text-ink backdrop:bg-scrim sm:py-7"
    >
      <h2 id={titleId} className="text-title font-semibold">
        {title}
      </h2>
      {children}
    </dialog>
  )
}

/** Opens the dialog. Focuses the title if the first control is out of sight, as on a small screen or with large text. */
function show(dialog: HTMLDialogElement) {
  dialog.showModal()
  const title = dialog.querySelector('h2')
  if (dialog.scrollTop === 0 || !title) return
  // Only now, because showModal() would take a focusable title for the first control.
  title.tabIndex = -1
  title.focus()
  dialog.scrollTop = 0
}

/** A dialog's buttons. Cancel comes first, and so gets the focus in a dialog without fields. */
export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2.5 sm:flex-row sm:justify-end">{children}</div>
}
