'use client'

import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Row } from '@/components/ui/card'
import { Messages, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { useWords } from '@/components/ui/words/words'

interface SettingProps {
  /** The fragment of the address that opens it. */
  id: string
  name: string
  value: ReactNode
  /** Below the value. */
  note?: ReactNode
  /** The button that opens it, and its label where the setting's name is not beside it, for screen readers. */
  label: string
  fullLabel?: string
  /** Beside that button. */
  more?: ReactNode
  /** The form it opens; `close` takes a message if something was done. */
  children: (close: (done?: string) => void) => ReactNode
}

/** One line of a card that can be changed in place. */
export function Setting({ id, name, value, note, label, fullLabel, more, children }: SettingProps) {
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
    const { hash, pathname, search } = window.location
    if (hash === `#${id}`) window.history.replaceState(window.history.state, '', pathname + search)
  }
  const controls = (
    <>
      {more}
      <Button ref={button} id={`${id}-open`} look="quiet" aria-label={fullLabel} onClick={open}>
        {label}
      </Button>
    </>
  )
  return (
    // A group, no region: a screen reader's list of landmarks names what the page is about, not its every line.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form.
    <div role="group" id={id} aria-labelledby={titleId} className="scroll-mt-6 py-3">
      <Row controls={!isOpen && controls}>
        <h3 id={titleId} className="text-small text-muted">
          {name}
        </h3>
        <p className="font-medium">{value}</p>
        {note && <p className="text-small text-muted">{note}</p>}
      </Row>
      <Messages place={id} className="not-empty:mt-3" />
      {isOpen && <div className="mt-4 pb-1">{children(close)}</div>}
    </div>
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

export function FormButtons({ pending, onCancel }: { pending: boolean; onCancel: () => void }) {
  const { cancel } = useWords('forms')
  const { save } = useWords('account')
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="submit" pending={pending}>
        {save}
      </Button>
      <Button look="quiet" disabled={pending} onClick={onCancel}>
        {cancel}
      </Button>
    </div>
  )
}
