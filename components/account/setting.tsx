'use client'

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'

interface SettingProps {
  /** The address `#id` opens it. */
  id: string
  name: string
  value: ReactNode
  /** What the button says that opens it; `of` is what screen readers hear after it, where the line alone makes it clear to the eye. */
  ask: string
  of?: string
  /** What it opens: a form, which closes it again, with a remark if something was done. */
  children: (close: (remark?: string) => void) => ReactNode
}

/** One line of a card that can be changed in place. */
export function Setting({ id, name, value, ask, of, children }: SettingProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [open, setOpen] = useState(false)
  const [remark, setRemark] = useState('')
  const titleId = `${id}-title`
  useOpenedByAddress(id, () => setOpen(true))
  const wasOpen = useRef(false)
  useEffect(() => {
    // The button is back only now; the focus was in what has just gone.
    if (wasOpen.current && !open) button.current?.focus()
    wasOpen.current = open
  }, [open])

  function close(said = '') {
    setRemark(said)
    setOpen(false)
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
        {!open && (
          <Button
            ref={button}
            look="quiet"
            className="-mr-4.25 shrink-0"
            onClick={() => {
              setRemark('')
              setOpen(true)
            }}
          >
            {ask}
            {of && <span className="sr-only">{of}</span>}
          </Button>
        )}
      </div>
      <div role="status" className="not-empty:mt-3">
        {remark && <Notice tone="success">{remark}</Notice>}
      </div>
      {open && <div className="mt-4 pb-1">{children(close)}</div>}
    </section>
  )
}

/** Opens a part of the page for whoever comes with its address, also from the same page. */
function useOpenedByAddress(id: string, open: () => void) {
  const openIfAsked = useEffectEvent(() => {
    if (window.location.hash === `#${id}`) open()
  })
  useEffect(() => {
    const listen = () => openIfAsked()
    // While it loads a page, the browser takes the focus to where the address points, away from the field that opened there.
    if (document.readyState === 'complete') listen()
    else window.addEventListener('load', listen)
    window.addEventListener('hashchange', listen)
    return () => {
      window.removeEventListener('load', listen)
      window.removeEventListener('hashchange', listen)
    }
  }, [])
}

/** What stands below a form that opened in place. */
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
