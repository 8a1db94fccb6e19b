'use client'

import { type ComponentProps, type ReactNode, type Ref, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Username } from '@/components/account/account-chip'
import { useAccountContext } from '@/components/account/account-provider'
import { type AccountAction, ActionMessages, useAccountAction, useRefresh } from '@/components/account/action'
import { Setting } from '@/components/account/setting'
import { Button, ButtonLink } from '@/components/ui/button'
import type { Action, StatusMessage } from '@/components/ui/feedback/page-feedback'
import { Key } from '@/components/ui/icons/mark'
import { CopyButton, UnsavedDialog, useQuestionOnLeaving } from '@/components/ui/keep'
import { useClientValue } from '@/components/ui/use-client-value'
import { Day } from '@/components/ui/words/day'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useLocale, useWords } from '@/components/ui/words/words'
import { createRecoveryCodes } from '@/lib/browser/account'
import { cutsOf } from '@/lib/mark'
import { dayOf, localZone } from '@/lib/messages/format/dates'

/**
 * Creates recovery codes as `action`, and keeps them until the page drops them.
 *
 * @param onCreated runs before the page has learned of them
 * @returns `sheet` is the element that shows them, which gets the focus
 */
export function useCreateCodes({ run, pending }: Pick<AccountAction, 'run' | 'pending'>, onCreated?: () => void) {
  const { saveCodes } = useWords('profile')
  const sheet = useRef<HTMLElement>(null)
  const refresh = useRefresh(sheet)
  // Asks from the press on, since the server may replace the current codes as soon as the request leaves.
  useQuestionOnLeaving(() => pending === 'codes')
  const [codes, setCodes] = useState<string[] | null>(null)
  function keep(created: string[]) {
    setCodes(created)
    onCreated?.()
  }
  function createCodes() {
    const onDone = (): StatusMessage => {
      refresh()
      // An information and no success, with its tick: the person has yet to save the codes.
      return { tone: 'info', text: saveCodes }
    }
    run('codes', () => createRecoveryCodes(keep), onDone)
  }
  return { codes, sheet, createCodes, dropCodes: () => setCodes(null) }
}

/**
 * Messages of the action that creates codes. While the sheet is open, it says this itself; screen readers announce the hidden
 * message.
 */
export const CodeMessages = ({ action, codes }: { action: Action; codes: string[] | null }) => (
  <div hidden={codes !== null}>
    <ActionMessages action={action} />
  </div>
)

interface Props {
  ref: Ref<HTMLElement>
  codes: string[]
  onDone: () => void
}

/** Shows new recovery codes to copy, download or print. */
export function RecoveryCodeSheet({ ref, codes, onDone }: Props) {
  const words = useWords('profile')
  const fill = useFill()
  const { account, site } = useAccountContext()
  const locale = useLocale()
  const { signIn, useRecoveryCode } = useWords('forms')
  const [madeAt] = useState(() => new Date().toISOString())
  // In three years, the paper still says whose codes these are, and where to go with them.
  const address = useClientValue(
    () => window.location.host,
    () => '',
  )
  const title = fill(words.sheetTitle, { app: site.appName, username: account.username })
  const made = fill(words.codesMade, { date: dayOf(locale, madeAt, { zone: localZone(), now: Date.now() }) })
  const where = fill(words.sheetWhere, { signIn, use: useRecoveryCode })
  // Remembers if there were codes before, since the page may learn of the new ones while it shows them.
  const [isReplacing] = useState(account.recoveryCodesLeft > 0)
  const rule = [words.sheetRule, isReplacing && words.sheetReplaces].filter(Boolean).join(' ')
  const rows = codes.map((code, index) => `${String(index + 1).padStart(2)} [ ] ${code}`)
  const text = [address, title, made, where, rule, '', ...rows, ''].join('\n')
  const [isSaved, setSaved] = useState(false)
  const wasAsked = useRef(false)
  const [isOpen, setOpen] = useState(false)
  useQuestionOnLeaving(() => !isSaved)
  function done() {
    // Asks once, since someone who went back to the codes may be writing them down by hand.
    if (isSaved || wasAsked.current) return onDone()
    wasAsked.current = true
    setOpen(true)
  }
  return (
    <div className="@container">
      <p className="mb-3 font-medium">{words.saveCodes}</p>
      <Sheet
        ref={ref}
        address={address}
        title={
          <Filled
            message={words.sheetTitle}
            values={{ app: site.appName, username: <Username name={account.username} /> }}
          />
        }
        rule={[made, where, rule]}
        codes={codes}
      />
      <WaysToSave text={text} isSaved={isSaved} onSaved={() => setSaved(true)} />
      {/* Apart: it is no way to save them. */}
      <div className="mt-6 grid @lg:justify-start">
        <Button look={isSaved ? 'primary' : 'secondary'} onClick={done}>
          {words.done}
        </Button>
      </div>
      {isOpen && (
        <UnsavedDialog
          title={words.unsavedCodes}
          text={words.unsavedCodesText}
          back={words.backToCodes}
          leave={words.codesSaved}
          onBack={() => setOpen(false)}
          onLeave={onDone}
        />
      )}
    </div>
  )
}

interface WaysToSaveProps {
  text: string
  isSaved: boolean
  onSaved: () => void
}

function WaysToSave({ text, isSaved, onSaved }: WaysToSaveProps) {
  const words = useWords('profile')
  const { site } = useAccountContext()
  return (
    <div className="mt-4 flex flex-wrap gap-2.5 *:grow *:basis-[40%] *:first:basis-full @lg:*:grow-0 @lg:*:basis-auto @lg:*:first:basis-auto">
      <DownloadLink
        text={text}
        filename={`${site.appName.toLowerCase()}-${words.sheetFile}.txt`}
        look={isSaved ? 'secondary' : 'primary'}
        onClick={onSaved}
      >
        {words.download}
      </DownloadLink>
      <CopyButton text={text} onCopied={onSaved} />
      <Button
        look="secondary"
        onClick={() => {
          onSaved()
          window.print()
        }}
      >
        {words.print}
      </Button>
    </div>
  )
}

/**
 * A link that looks like a button and downloads a text that the page holds. A `data:` URL would contain the text, and
 * browsers keep URLs in the list of downloads; an object URL says nothing and ends with the page.
 */
function DownloadLink({
  text,
  filename,
  ...link
}: {
  text: string
  filename: string
} & Pick<ComponentProps<typeof ButtonLink>, 'look' | 'onClick' | 'children'>) {
  const [href, setHref] = useState<string>()
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }))
    setHref(url)
    return () => URL.revokeObjectURL(url)
  }, [text])
  return <ButtonLink {...link} href={href} download={filename} />
}

interface SheetProps {
  ref: Ref<HTMLElement>
  address: string
  title: ReactNode
  rule: string[]
  codes: string[]
}

/** The only part of the page that a printer gets. */
function Sheet({ ref, address, title, rule, codes }: SheetProps) {
  const { account } = useAccountContext()
  return (
    <section
      ref={ref}
      tabIndex={-1}
      data-sheet
      aria-labelledby="sheet-title"
      className="rounded-control border border-line bg-sunken px-3 py-3.5 print:border-0 print:bg-transparent print:p-0"
    >
      <Key cuts={cutsOf(account.id)} className="mb-2 h-5 text-accent print:h-7" />
      <p dir="ltr" className="text-start font-semibold break-words print:text-title">
        {address}
      </p>
      <p id="sheet-title" className="text-small font-semibold break-words">
        {title}
      </p>
      {rule.map((line) => (
        <p key={line} className="text-small text-muted">
          {line}
        </p>
      ))}
      {/* Digits and letters of a code would change places in a script from right to left. */}
      <ol
        dir="ltr"
        translate="no"
        className="mt-3 list-decimal ps-9 font-mono marker:text-small marker:text-muted @[17rem]:text-lead @[32rem]:columns-2 print:mt-6 print:columns-1"
      >
        {codes.map((code) => (
          // On paper with a box to tick once the code is used up.
          <li
            key={code}
            className="relative break-inside-avoid py-1 print:py-1.5 print:ps-8 print:before:absolute print:before:start-1.5 print:before:top-2.25 print:before:size-3.5 print:before:border print:before:border-edge print:before:content-['']"
          >
            {code}
          </li>
        ))}
      </ol>
    </section>
  )
}

interface SettingProps {
  /** On a page that leads through steps, true if this is the next one */
  isNext?: boolean
  /** Runs when the sheet with new codes opens and when it closes */
  onSheet?: (isOpen: boolean) => void
}

export function RecoveryCodesSetting({ isNext, onSheet }: SettingProps) {
  const words = useWords('profile')
  const fill = useFill()
  const { recoveryCodesLeft: left, recoveryCodesMadeAt: madeAt } = useAccountContext().account
  return (
    <Setting
      id="recovery-codes"
      name={words.recoveryCodes}
      value={<Counted>{left === 0 ? words.noCodes : fill(words.codesLeft, { count: left })}</Counted>}
      note={
        madeAt !== null && (
          <Counted>
            <Filled message={words.codesMade} values={{ date: <Day at={madeAt} /> }} />
          </Counted>
        )
      }
      label={left === 0 ? words.createCodes : words.newCodes}
      fullLabel={left === 0 ? words.createCodes : words.createNewCodes}
      isMain={isNext}
    >
      {(close, isPressed) => (
        <CodeCreator
          look={isNext === false ? 'secondary' : 'primary'}
          isPressed={isPressed}
          onSheet={onSheet}
          onClose={close}
        />
      )}
    </Setting>
  )
}

/** What counts only once the person has saved the codes that the page shows. */
const Counted = ({ children }: { children: ReactNode }) => (
  <span className="in-[main:has([data-sheet])]:hidden">{children}</span>
)

interface CodeCreatorProps {
  look: 'primary' | 'secondary'
  isPressed: boolean
  onSheet: SettingProps['onSheet']
  onClose: (done?: string) => void
}

function CodeCreator({ look, isPressed, onSheet, onClose }: CodeCreatorProps) {
  const { cancel } = useWords('forms')
  const words = useWords('profile')
  const { account } = useAccountContext()
  const scope = useRef<HTMLDivElement>(null)
  const action = useAccountAction(scope)
  const { codes, sheet, createCodes } = useCreateCodes(action, () => onSheet?.(true))
  const pending = action.pending !== null
  // The first codes replace none, so there is nothing to read before. Decides when the page opens, since the person may use the
  // last code later.
  const [startsAtOnce] = useState(isPressed && account.recoveryCodesLeft === 0)
  function finish() {
    onSheet?.(false)
    onClose(words.codesSavedDone)
  }
  useStart(startsAtOnce, createCodes)
  return (
    <div ref={scope}>
      <CodeMessages action={action} codes={codes} />
      {codes ? (
        <RecoveryCodeSheet ref={sheet} codes={codes} onDone={finish} />
      ) : (
        <>
          <p className="mb-4 max-w-prose text-muted">
            {words.codesAbout}
            {account.recoveryCodesLeft > 0 && ` ${words.codesReplace}`}
          </p>
          <div className="flex flex-wrap gap-2">
            {/* The pressed button went away. */}
            <Button look={look} autoFocus={startsAtOnce} pending={pending} onClick={createCodes}>
              {words.createTenCodes}
            </Button>
            <Button look="quiet" disabled={pending} onClick={() => onClose()}>
              {cancel}
            </Button>
          </div>
        </>
      )}
    </div>
  )
}

function useStart(isWanted: boolean, start: () => void) {
  const startIt = useEffectEvent(start)
  useEffect(() => {
    if (isWanted) startIt()
  }, [isWanted])
}
