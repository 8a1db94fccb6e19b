'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, startTransition, useEffect, useEffectEvent, useRef, useState } from 'react'
import { ActionMessages, ConfirmDialog, useAccountAction } from '@/components/account/action'
import { Button } from '@/components/ui/button'
import { Row } from '@/components/ui/card'
import { Messages, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { Form, submitWhenFilled, textOf } from '@/components/ui/forms/form'
import { UnfoldIcon } from '@/components/ui/icons/icons'
import { useWords } from '@/components/ui/words/words'
import type { Outcome } from '@/lib/browser/failures/outcomes'

/** Takes the success message, if any. */
type Close = (done?: string) => void

interface SettingProps {
  /** The fragment of the URL that opens it. */
  id: string
  name: string
  value: ReactNode
  /** Stands below the value */
  note?: ReactNode
  /** The button that opens it, and its label where the setting's name is not beside it, for screen readers. */
  label: string
  fullLabel?: string
  /** On a page of steps, true if that button is the page's main one; the step's title then stands for the name */
  isMain?: boolean | undefined
  /** Renders the form. `isPressed` is false if the fragment in the page's first URL opened it. */
  children: (close: Close, isPressed: boolean) => ReactNode
}

/** A line of a card that a person can change in place. */
export function Setting({ id, name, value, note, label, fullLabel, isMain, children }: SettingProps) {
  const button = useRef<HTMLButtonElement>(null)
  const { shown, show, showDone, focusAfterUpdate } = usePageFeedback()
  const [opened, setOpened] = useState<'press' | 'url' | null>(null)
  const titleId = `${id}-title`
  useOpenedByFragment(id, setOpened)

  function open() {
    if (shown?.place === id) show(null)
    setOpened('press')
  }
  function close(done?: string) {
    setOpened(null)
    if (done) showDone(id, done)
    focusAfterUpdate(() => button.current)
    const { hash, pathname, search } = window.location
    if (hash === `#${id}`) window.history.replaceState(window.history.state, '', pathname + search)
  }
  const text = (
    <>
      <p className="font-medium">{value}</p>
      {note && <p className="text-small text-muted">{note}</p>}
    </>
  )
  return (
    // A group and no region: a screen reader's list of landmarks should not name every line of the page.
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form.
    <div
      role="group"
      id={id}
      aria-labelledby={titleId}
      data-open={opened !== null || undefined}
      className="scroll-mt-6 py-2.5"
    >
      {isMain === undefined ? (
        <div className="relative flex items-center gap-x-4">
          <div className="min-w-0 grow break-words">
            <h3 id={titleId} className="text-small text-muted">
              {name}
            </h3>
            {text}
          </div>
          {opened === null && (
            // Covers the row, which can be pressed anywhere, as one that leads to another page.
            <button
              ref={button}
              id={`${id}-open`}
              type="button"
              aria-label={fullLabel ?? label}
              onClick={open}
              className="-m-3 cursor-pointer rounded-control p-3 text-muted after:absolute after:-inset-x-2 after:-inset-y-1.5 after:rounded-control hover:text-ink"
            >
              <UnfoldIcon />
            </button>
          )}
        </div>
      ) : (
        <Row
          hasEdge={isMain}
          controls={
            opened === null && (
              <Button
                ref={button}
                id={`${id}-open`}
                look={isMain ? 'primary' : 'quiet'}
                aria-label={fullLabel}
                onClick={open}
              >
                {label}
              </Button>
            )
          }
        >
          <h3 id={titleId} className="sr-only">
            {name}
          </h3>
          {text}
        </Row>
      )}
      <Messages place={id} className="not-empty:mt-3" />
      {opened !== null && <div className="mt-4 pb-1">{children(close, opened === 'press')}</div>}
    </div>
  )
}

function useOpenedByFragment(id: string, open: (by: 'press' | 'url') => void) {
  const openIfNamed = useEffectEvent((by: 'press' | 'url') => {
    if (window.location.hash === `#${id}`) open(by)
  })
  useEffect(() => {
    const loaded = () => openIfNamed('url')
    // Opens by a link on this page.
    const moved = () => openIfNamed('press')
    // While loading, the browser moves the focus to the fragment's target, away from the field that opens there.
    if (document.readyState === 'complete') loaded()
    else window.addEventListener('load', loaded)
    window.addEventListener('hashchange', moved)
    return () => {
      window.removeEventListener('load', loaded)
      window.removeEventListener('hashchange', moved)
    }
  }, [])
}

interface NameFormProps {
  /** Of the field that `children` renders */
  field: string
  change: (text: string) => Promise<Outcome>
  /** Closes the form */
  onChanged: () => void
  onCancel: () => void
  className?: string
  /** Renders the field; gets what is wrong with it */
  children: (error: string | undefined) => ReactNode
}

/** A form of one field, by which a person renames something on the page. */
export function NameForm({ field, change, onChanged, onCancel, className = 'max-w-sm', children }: NameFormProps) {
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form)

  function onDone() {
    // Closes the form and refreshes in one update: otherwise the page would show the old name in between.
    startTransition(() => {
      router.refresh()
      onChanged()
    })
  }
  const submit = submitWhenFilled(action, (data) => {
    action.run(field, () => change(textOf(data, field)), onDone)
  })
  return (
    <Form action={action} ref={form} onSubmit={submit} className={className}>
      <ActionMessages action={action} />
      <div className="space-y-4">
        {children(action.failure?.fields[field])}
        <FormButtons pending={action.pending !== null} onCancel={onCancel} />
      </div>
    </Form>
  )
}

interface FormButtonsProps {
  /** "Save" unless given */
  label?: string | undefined
  look?: 'primary' | 'secondary' | undefined
  pending: boolean
  onCancel: (() => void) | null
}

/** The buttons of a form that changes something in place. */
export function FormButtons({ label, look, pending, onCancel }: FormButtonsProps) {
  const { cancel } = useWords('forms')
  const { save } = useWords('account')
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="submit" look={look} pending={pending}>
        {label ?? save}
      </Button>
      {onCancel && (
        <Button look="quiet" disabled={pending} onClick={onCancel}>
          {cancel}
        </Button>
      )}
    </div>
  )
}

interface RemovalProps {
  title: string
  text: string
  confirm: string
  remove: () => Promise<Outcome>
  /** Closes the setting, which then has the focus: the button that opened this dialog goes away with what it removes */
  onRemoved: () => void
  onClose: () => void
}

/** Asks before it removes what the setting shows. */
export function RemovalDialog({ remove, onRemoved, onClose, ...texts }: RemovalProps) {
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const action = useAccountAction(form, { inDialog: true })
  function onDone() {
    router.refresh()
    onClose()
    onRemoved()
  }
  const confirm = () => void action.run('remove', remove, onDone)
  return <ConfirmDialog {...texts} form={form} action={action} onConfirm={confirm} onClose={onClose} />
}
