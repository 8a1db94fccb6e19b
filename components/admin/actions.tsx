'use client'

import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type Ref,
  type RefObject,
  useContext,
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
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { type ActionOptions, Messages, type OnDone, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { BinIcon } from '@/components/ui/icons/icons'
import { navigate } from '@/components/ui/navigation'
import type { PostBody, PostResult } from '@/lib/api/endpoints'
import { type AdminPath, administer, type Change, changeSettings } from '@/lib/browser/admin'
import { isFailure } from '@/lib/browser/failures/outcomes'

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
 */
export function useSettingsChange<T extends object>(opened: T) {
  /** What somebody else has made of it since, once this person knows that there is such a change */
  const [known, setKnown] = useState<T | null>(null)
  return (action: AdminAction, change: Omit<Change<T>, 'opened' | 'seen'>, onDone: OnDone) =>
    action.run(
      'change',
      () => changeSettings({ ...change, opened, seen: known ?? opened }, setKnown),
      () => {
        setKnown(null)
        return onDone()
      },
    )
}

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
