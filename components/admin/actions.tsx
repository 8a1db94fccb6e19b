'use client'

import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type Ref,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react'
import {
  type AccountAction,
  ConfirmDialog,
  type Typed,
  useAccountAction,
  useRefresh,
} from '@/components/account/action'
import { Button, ButtonLink } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { type ActionOptions, Messages, type OnDone, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { BinIcon } from '@/components/ui/icons/icons'
import { UnsavedDialog, useQuestionOnLeaving } from '@/components/ui/keep'
import { navigate } from '@/components/ui/navigation'
import { useWords } from '@/components/ui/words/words'
import type { PostBody, PostResult } from '@/lib/api/endpoints'
import { type AdminPath, administer, type Change, changeSettings } from '@/lib/browser/admin'
import { isFailure } from '@/lib/browser/failures/outcomes'
import { hasTypedText } from '@/lib/browser/sign-in/session-end'

interface Wording {
  /** The title of a failure, such as "Couldn't disable ada" */
  title: string
  /** The form's fields by the names that the endpoint gives them, where their errors then stand */
  fields?: string[]
}

export interface AdminAction extends AccountAction {
  /**
   * Calls an operators' endpoint. If it asks for the passkey, the page does, and then repeats the call.
   *
   * @param onDone gets the answer, and returns a message to show as `OnDone` does
   */
  call<P extends AdminPath>(
    name: string,
    path: P,
    body: PostBody<P>,
    wording: Wording,
    onDone: (result: PostResult<P>) => ReturnType<OnDone>,
  ): ReturnType<AccountAction['run']>
}

export function useAdminAction(scope: RefObject<HTMLElement | null>, options?: ActionOptions): AdminAction {
  const action = useAccountAction(scope, options)
  return {
    ...action,
    call: (name, path, body, wording, onDone) => {
      let result: PostResult<typeof path>
      return action.run(
        name,
        () =>
          administer(path, body, wording, (answer) => {
            result = answer
          }),
        () => onDone(result),
      )
    },
  }
}

/**
 * Changes what a form began with, unless somebody else has changed the same fields since: the person then learns of it, and their
 * next try replaces that.
 *
 * @param given what the page has now: where it comes anew while somebody types, what they typed stays
 */
export function useSettingsChange<T extends object>(form: RefObject<HTMLFormElement | null>, given: T) {
  const [opened, setOpened] = useState(given)
  /** What somebody else has made of it since, once this person knows that there is such a change */
  const [known, setKnown] = useState<T | null>(null)
  const isSaved = useRef(false)
  useEffect(() => {
    if (!isSaved.current && form.current && hasTypedText(form.current)) return
    isSaved.current = false
    setOpened(given)
  }, [form, given])
  const change = (action: AdminAction, change: Omit<Change<T>, 'opened' | 'seen'>, onDone: OnDone) =>
    action.run(
      'change',
      () => changeSettings({ ...change, opened, seen: known ?? opened }, setKnown),
      () => {
        setKnown(null)
        isSaved.current = true
        return onDone()
      },
    )
  return { opened, change }
}

interface UnsavedProps {
  form: RefObject<HTMLFormElement | null>
  action: AdminAction
}

/**
 * Asks before the person leaves what they have typed into the form. The page asks for its own links, because browsers of phones
 * do not, and the browser for all other ways out.
 */
export function UnsavedQuestion({ form, action }: UnsavedProps) {
  const words = useWords('account')
  /** Where a pressed link leads */
  const [next, setNext] = useState<string | null>(null)
  const isUnsaved = () =>
    form.current !== null &&
    // What is being sent is not lost, and a dialog has asked already.
    action.pending === null &&
    document.querySelector('dialog[open]') === null &&
    hasTypedText(form.current)
  useQuestionOnLeaving(isUnsaved)
  const ask = useEffectEvent((event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
    if (link === null || !replacesPage(link, event) || !isUnsaved()) return
    event.preventDefault()
    setNext(link.href)
  })
  useEffect(() => {
    const pressed = (event: MouseEvent) => ask(event)
    document.addEventListener('click', pressed)
    return () => document.removeEventListener('click', pressed)
  }, [])
  if (next === null) return null
  return (
    <UnsavedDialog
      title={words.unsaved}
      text={words.unsavedText}
      back={words.stay}
      leave={words.leave}
      onBack={() => setNext(null)}
      onLeave={() => navigate(next)}
    />
  )
}

interface SendProps {
  label: string
  action: AdminAction
}

/** Sends a form that has a page of its own. @param list where "Cancel" leads */
export function FormEnd({ label, action, list }: SendProps & { list: string }) {
  const { cancel } = useWords('forms')
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="submit" pending={action.pending !== null}>
        {label}
      </Button>
      <ButtonLink href={list} look="quiet">
        {cancel}
      </ButtonLink>
    </div>
  )
}

/** Saves a form of a card, and stays in sight while a part of a long one is. */
export const SaveBar = ({ label, action }: SendProps) => (
  <div className="save-bar">
    <Button type="submit" pending={action.pending !== null}>
      {label}
    </Button>
  </div>
)

/** Not a link to another part of the page, to a program, or to another tab. */
const replacesPage = (link: HTMLAnchorElement, { button, altKey, ctrlKey, metaKey, shiftKey }: MouseEvent) =>
  button === 0 &&
  !(altKey || ctrlKey || metaKey || shiftKey) &&
  link.target === '' &&
  link.protocol.startsWith('http') &&
  !link.getAttribute('href')?.startsWith('#')

const PlaceContext = createContext('')

interface PlaceProps {
  id: string
  ref?: Ref<HTMLDivElement> | undefined
  className?: string
  /** The look of the message, unless it stands at the top of a card */
  messages?: string
  children: ReactNode
}

/** What stays when a row in it goes away: shows what became of it, and gets the focus. */
export function Place({
  id,
  ref,
  className = '',
  messages = 'not-empty:px-card not-empty:pt-4',
  children,
}: PlaceProps) {
  return (
    <PlaceContext value={id}>
      <div ref={ref} id={id} tabIndex={-1} className={`outline-none ${className}`}>
        <Messages place={id} className={messages} />
        {children}
      </div>
    </PlaceContext>
  )
}

interface Props<P extends AdminPath> extends Pick<ComponentProps<typeof Button>, 'look'> {
  /** The button's label, and its whole name where the label stands several times */
  label: string
  fullLabel?: string
  /** The dialog: what is asked, what will happen, and the button that does it, where it needs a label of its own */
  question: string
  text: string
  confirm?: string
  typed?: Typed
  path: P
  body: PostBody<P>
  /** The title of a failure */
  failed: string
  /** The id of what stays, where that is not the `Place` around the button */
  place?: string
  /** The message; none where the page goes away */
  done?: string
  onDone?: (result: PostResult<P>) => void
  children?: ReactNode
}

/** A button that asks before it calls an operators' endpoint, and then shows what has changed. @param children an icon */
export function Confirmed<P extends AdminPath>({ label, fullLabel, look = 'quiet', children, ...asked }: Props<P>) {
  const [isOpen, setOpen] = useState(false)
  const around = useContext(PlaceContext)
  return (
    <>
      <Button look={look} aria-label={fullLabel} onClick={() => setOpen(true)}>
        {children}
        {label}
      </Button>
      {isOpen && <Question confirm={label} place={around} {...asked} onClose={() => setOpen(false)} />}
    </>
  )
}

interface DeletionProps<P extends AdminPath>
  extends Pick<Props<P>, 'label' | 'question' | 'text' | 'path' | 'body' | 'failed'> {
  title: string
  about: string
  /** The list that it leads to */
  list: string
}

/** The last card of a page about one thing: deletes it, after saying what goes with it. */
export const Deletion = <P extends AdminPath>({ title, about, list, ...asked }: DeletionProps<P>) => (
  <Card title={title} titleId="delete">
    <Place id="deletion" className="px-card py-4" messages="not-empty:pb-4">
      <p className="break-words text-muted">{about}</p>
      <span className="outdent mt-1 inline-flex">
        <Confirmed look="quiet-danger" onDone={() => navigate(list)} {...asked}>
          <BinIcon />
        </Confirmed>
      </span>
    </Place>
  </Card>
)

function Question<P extends AdminPath>({
  question,
  text,
  confirm,
  typed,
  path,
  body,
  failed,
  place,
  done,
  onDone,
  onClose,
}: Omit<Props<P>, 'label'> & Required<Pick<Props<P>, 'confirm' | 'place'>> & { onClose: () => void }) {
  const form = useRef<HTMLFormElement>(null)
  const stays = useRef<HTMLElement>(null)
  const action = useAdminAction(form, { inDialog: true })
  const { show, showDone } = usePageFeedback()
  const refresh = useRefresh(stays)
  async function act() {
    stays.current = document.getElementById(place)
    const ended = await action.call('confirm', path, body, { title: failed }, (result) => {
      onDone?.(result)
      if (done === undefined) return
      refresh()
      onClose()
      showDone(place, done)
    })
    if (!ended || !isFailure(ended, 'not_found')) return
    // Gone meanwhile, and with it this dialog: the page shows what is left, and says so.
    onClose()
    refresh()
    show({ place, alert: ended })
  }
  return (
    <ConfirmDialog
      title={question}
      text={text}
      form={form}
      action={action}
      confirm={confirm}
      typed={typed}
      onConfirm={act}
      onClose={onClose}
    />
  )
}
