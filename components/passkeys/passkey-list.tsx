'use client'

import { useRouter } from 'next/navigation'
import { type FocusEvent, type ReactNode, type Ref, useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ConfirmDialog, useAccountAction } from '@/components/account/action'
import { NameForm } from '@/components/account/setting'
import { PasskeyButton, usePasskeySupport } from '@/components/auth/passkey-button'
import { keeperOf } from '@/components/passkeys/provider-icon'
import { Button } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { Messages, usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { Field } from '@/components/ui/forms/form'
import { BinIcon, PencilIcon } from '@/components/ui/icons/icons'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { limits } from '@/lib/api/limits'
import type { Passkey } from '@/lib/api/schemas'
import { addPasskey, isJustAdded, removePasskey, renamePasskey } from '@/lib/browser/passkeys/manage'

/** The place of messages about the list of passkeys: above it, at the button that adds one. */
const passkeyListPlace = 'passkey-list'

/** Adds a passkey to the account. Messages about the list appear here, too. */
export function AddPasskey() {
  const { addPasskey: label } = useWords('account')
  const words = useWords('passkeys')
  const { account, site } = useAccountContext()
  const scope = useRef<HTMLDivElement>(null)
  const router = useRouter()
  const onDone = () => {
    router.refresh()
    return words.added
  }
  const action = useAccountAction(scope, { place: passkeyListPlace })
  const unsupportedReason = usePasskeySupport(site)
  return (
    <div ref={scope} id={passkeyListPlace} tabIndex={-1} className="outline-none">
      {unsupportedReason ? (
        <Callout>{unsupportedReason}</Callout>
      ) : (
        <PasskeyButton
          // Two passkeys are enough, so a third is not the page's main step.
          look={account.passkeys.length < 2 ? 'primary' : 'secondary'}
          className="max-sm:w-full"
          pending={action.pending !== null}
          onClick={() => action.run('add', () => addPasskey(), onDone)}
        >
          {label}
        </PasskeyButton>
      )}
      {/* Beside the list that they are about. */}
      <Messages place={passkeyListPlace} className="not-empty:mt-4" />
    </div>
  )
}

/** Moves the focus from a removed card to the button that adds a passkey, or, without that button, to its place. */
function useFocusPasskeyList(): () => void {
  const { focusAfterUpdate } = usePageFeedback()
  const place = () => document.getElementById(passkeyListPlace)
  return () => focusAfterUpdate(() => place()?.querySelector('button') ?? place())
}

/** The messages of a passkey list that has no button to add one. Outside the list, so that it outlasts the last passkey. */
export function PasskeyMessages() {
  return (
    <div id={passkeyListPlace} tabIndex={-1} className="outline-none">
      <Messages place={passkeyListPlace} />
    </div>
  )
}

interface Props {
  passkey: Passkey
  inUse: boolean
  /** The level of its name: one below the heading above it */
  heading?: 'h2' | 'h3' | undefined
  /** True if the page lists it for removal, and offers nothing else; otherwise it is a line of a card, whose buttons are icons */
  isSuspect?: boolean | undefined
  /** True if it may be the stranger's */
  isNew?: boolean | undefined
  /** Stands beside its name */
  badge: ReactNode
  children: ReactNode
}

/** A passkey with the buttons that rename and remove it. @param children the text below its name */
export function PasskeyEditor({
  passkey,
  inUse,
  heading: Heading = 'h2',
  isSuspect = false,
  isNew = false,
  badge,
  children,
}: Props) {
  const words = useWords('passkeys')
  const { account, site } = useAccountContext()
  const { focusAfterUpdate } = usePageFeedback()
  const [renaming, setRenaming] = useState(() => isJustAdded(passkey))
  const [isOpen, setOpen] = useState(false)
  const rename = useRef<HTMLButtonElement>(null)
  const { id, name } = passkey
  const isLast = !account.hasPassword && account.passkeys.length === 1

  const setPassword = (
    <a href="/profile#password" className="font-medium text-accent underline">
      {words.setPassword}
    </a>
  )

  function stopRenaming() {
    setRenaming(false)
    focusAfterUpdate(() => rename.current)
  }
  return (
    <div className={`flex flex-wrap items-start justify-between ${isSuspect ? 'gap-x-6 gap-y-4' : 'gap-x-2'}`}>
      <div className={`max-w-full min-w-0 grow ${isSuspect ? 'basis-64' : 'basis-24'}`}>
        <div className="flex flex-wrap items-center gap-x-2.5">
          <Heading
            id={`name-${id}`}
            className={
              renaming ? 'sr-only' : `min-w-0 break-words ${isSuspect ? 'text-title font-semibold' : 'font-medium'}`
            }
          >
            <bdi>{name}</bdi>
          </Heading>
          {!renaming && badge}
        </div>
        {renaming && <RenamePasskey passkey={passkey} onClose={stopRenaming} />}
        {isSuspect && children}
      </div>
      {!renaming && (
        <Buttons
          ref={rename}
          id={id}
          isLast={isLast}
          isSuspect={isSuspect}
          isNew={isNew}
          inUse={inUse}
          onRename={() => setRenaming(true)}
          onRemove={() => setOpen(true)}
        />
      )}
      {/* Below the icons, where a phone has room for them. */}
      {!isSuspect && <div className="basis-full">{children}</div>}
      {isLast && !renaming && (
        <p className="mt-2 basis-full text-small text-muted">
          {site.passwords ? <Filled message={words.onlyWayOrPassword} values={{ setPassword }} /> : words.onlyWay}
        </p>
      )}
      {isOpen && <RemovePasskey passkey={passkey} inUse={inUse} onClose={() => setOpen(false)} />}
    </div>
  )
}

interface ButtonsProps {
  /** The button that renames */
  ref: Ref<HTMLButtonElement>
  id: string
  isLast: boolean
  isSuspect: boolean
  isNew: boolean
  inUse: boolean
  onRename: () => void
  onRemove: () => void
}

/** Names each button after its passkey, since several passkeys have these buttons. */
function Buttons({ ref, id, isLast, isSuspect, isNew, inUse, onRename, onRemove }: ButtonsProps) {
  const { remove } = useWords('account')
  const { rename } = useWords('passkeys')
  // The passkey that the owner has just used is not the one to remove first.
  const isOffered = isSuspect && !inUse
  const place = !isSuspect
    ? '-mt-2.5 -mb-2 -me-[min(0.75rem,4vw)] ms-auto *:px-3'
    : isOffered
      ? 'max-sm:w-full max-sm:*:grow'
      : 'outdent -mt-2.5 -mb-2 max-w-[calc(100%+2*var(--outdent))] flex-wrap'
  return (
    <div className={`flex forced-colors:my-0 forced-colors:gap-2 ${place}`}>
      {!isSuspect && (
        <Button
          ref={ref}
          id={`rename-${id}`}
          look="quiet"
          aria-labelledby={`rename-${id} name-${id}`}
          title={rename}
          onClick={onRename}
        >
          <IconOf icon={<PencilIcon />} name={rename} />
        </Button>
      )}
      {/* The text below says why there is none. */}
      {!isLast && (
        <Button
          id={`remove-${id}`}
          look={isOffered ? (isNew ? 'danger' : 'secondary') : 'plain'}
          // Where one may be a stranger's, its time tells it from its namesakes.
          aria-labelledby={`remove-${id} name-${id}${isSuspect ? ` added-${id}` : ''}`}
          title={isSuspect ? undefined : remove}
          onClick={onRemove}
        >
          {isSuspect ? remove : <IconOf icon={<BinIcon />} name={remove} />}
        </Button>
      )}
    </div>
  )
}

const IconOf = ({ icon, name }: { icon: ReactNode; name: string }) => (
  <>
    {icon}
    <span className="sr-only">{name}</span>
  </>
)

/** Selects the name, so that typing replaces it. */
const selectAll = ({ currentTarget }: FocusEvent<HTMLInputElement>) => currentTarget.select()

function RenamePasskey({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const words = useWords('passkeys')
  const { showDone } = usePageFeedback()
  function onRenamed() {
    showDone(passkeyListPlace, words.renamed)
    onClose()
  }
  return (
    <NameForm
      field="name"
      change={(text) => renamePasskey(passkey, text)}
      onChanged={onRenamed}
      onCancel={onClose}
      className="mb-4 max-w-sm"
    >
      {(error) => (
        <Field
          name="name"
          label={words.name}
          missing={words.enterName}
          autoComplete="off"
          maxLength={limits.passkeyName}
          defaultValue={passkey.name}
          autoFocus
          onFocus={selectAll}
          error={error}
        />
      )}
    </NameForm>
  )
}

interface RemoveProps {
  passkey: Passkey
  inUse: boolean
  onClose: () => void
}

function RemovePasskey({ passkey, inUse, onClose }: RemoveProps) {
  const { remove } = useWords('account')
  const words = useWords('passkeys')
  const fill = useFill()
  const { account } = useAccountContext()
  const focusList = useFocusPasskeyList()
  const { showDone } = usePageFeedback()
  const router = useRouter()
  const form = useRef<HTMLFormElement>(null)
  const onDone = () => {
    showDone(passkeyListPlace, fill(words.removed, { name: passkey.name }))
    leaveList()
  }
  const action = useAccountAction(form, { inDialog: true })
  const isGone = action.failure?.code === 'not_found'

  function leaveList() {
    router.refresh()
    focusList()
    onClose()
  }
  return (
    <ConfirmDialog
      title={fill(words.removeQuestion, { name: passkey.name })}
      text={fill(words.removeText, { provider: passkey.provider ?? words[keeperOf(passkey)] })}
      form={form}
      action={action}
      cancel={isGone ? words.close : undefined}
      confirm={isGone ? null : remove}
      onConfirm={() => void action.run('remove', () => removePasskey(account, passkey), onDone)}
      onClose={isGone ? leaveList : onClose}
    >
      {inUse && <Callout>{words.inUse}</Callout>}
    </ConfirmDialog>
  )
}
