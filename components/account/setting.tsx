'use client'

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Messages, usePageFeedback } from '@/components/ui/page-feedback'

interface SettingProps {
  /** The fragment of the address that opens it. */
  id: string
  name: string
  value: ReactNode
  /** The button that opens it. `labelEnd` completes its label for screen readers. */
  label: string
  labelEnd?: string
  /** Beside that button. */
  more?: ReactNode
  /** The form it opens; `close` takes a message if something was done. */
  children: (close: (done?: string) => void) => ReactNode
}

/** One line of a card that can be changed in place. */
export function Setting({ id, name, value, label, labelEnd, more, children }: SettingProps) {
  const button = useRef<HTMLButtonElement>(null)
  const { shown, show, focusAfterUpdate } = usePageFeedback()
  const [isOpen, setOpen] = useState(false)
  const titleId = `${id}-title`
  useOpenedByFragment(id, () => setOpen(true))

  function open() {
    if (shown?.place === id) show(null)
    setOpen(true)
  }
  function close(done?: string) {
    setOpen(false)
    if (done) show({ place: id, status: { tone: 'success', text: done } })
    focusAfterUpdate(() => button.current)
    if (window.location.hash === `#${id}`)
      window.history.replaceState(window.history.state, '', window.location.pathname)
  }
  return (
    <section id={id} aria-labelledby={titleId} className="scroll-mt-6 py-4">
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <h3 id={titleId} className="text-small text-muted">
            {name}
          </h3>
          <p className="font-medium break-words">{value}</p>
        </div>
        {!isOpen && (
          <div className="-mr-4.25 flex shrink-0">
            {more}
            <Button ref={button} id={`${id}-open`} look="quiet" onClick={open}>
              {label}
              {labelEnd && <span className="sr-only">{labelEnd}</span>}
            </Button>
          </div>
        )}
      </div>
      <Messages place={id} className="not-empty:mt-3" />
      {isOpen && <div className="mt-4 pb-1">{children(close)}</div>}
    </section>
  )
}

function useOpenedByFragment(id: string, open: () => void) {
  const openIfNamed = useEffectEvent(() => {
    if (window.location.hash === `#${id}`) open()
  })
  useEffect(() => {
    const listen = () => openIfNamed()
    // While loading, the browser moves the focus to the fragment's target, away from the field that opens there.
    if (document.readyState === 'complete') listen()
    else window.addEventListener('load', listen)
    window.addEventListener('hashchange', listen)
    return () => {
      window.removeEventListener('load', listen)
      window.removeEventListener('hashchange', listen)
    }
  }, [])
}

export function FormButtons({ save, pending, onCancel }: { save: string; pending: boolean; onCancel: () => void }) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="submit" pending={pending}>
        {save}
      </Button>
      <Button look="quiet" disabled={pending} onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
