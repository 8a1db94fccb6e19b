'use client'

import { type Ref, useEffect, useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { useAnnounce } from '@/components/account/announcements'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { DownloadLink } from '@/components/ui/download-link'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'

interface Props {
  ref: Ref<HTMLElement>
  codes: string[]
  onDone: () => void
}

/** New recovery codes to copy, download or print. */
export function RecoveryCodeSheet({ ref, codes, onDone }: Props) {
  const words = useWords('profile')
  const fill = useFill()
  const { account, site } = useAccountContext()
  const title = fill(words.sheetTitle, { app: site.appName, username: account.username })
  const text = [title, words.sheetRule, '', ...codes, ''].join('\n')
  const needsConfirmation = useRef(true)
  const [isOpen, setOpen] = useState(false)
  function markSaved() {
    needsConfirmation.current = false
  }
  function done() {
    if (!needsConfirmation.current) return onDone()
    // Only once: who goes back to the codes may write them down by hand.
    needsConfirmation.current = false
    setOpen(true)
  }
  return (
    <div className="@container">
      <Sheet ref={ref} title={title} codes={codes} />
      <div className="mt-4 flex flex-wrap gap-2.5 *:grow *:basis-[40%] @lg:*:grow-0 @lg:*:basis-auto">
        <CopyButton text={text} onCopied={markSaved} />
        <DownloadLink text={text} filename={`${site.appName.toLowerCase()}-${words.sheetFile}.txt`} onClick={markSaved}>
          {words.download}
        </DownloadLink>
        <Button
          look="secondary"
          onClick={() => {
            markSaved()
            window.print()
          }}
        >
          {words.print}
        </Button>
        <Button onClick={done}>{words.done}</Button>
      </div>
      {isOpen && <UnsavedDialog onBack={() => setOpen(false)} onSaved={onDone} />}
    </div>
  )
}

/** Where a code may break on a narrow screen: after three of its six groups. */
const half = 'XXXX-XXXX-XXXX-'.length

/** The only part of the page that is printed. */
function Sheet({ ref, title, codes }: { ref: Ref<HTMLElement>; title: string; codes: string[] }) {
  const { sheetRule } = useWords('profile')
  return (
    <section
      ref={ref}
      tabIndex={-1}
      data-sheet
      aria-labelledby="sheet-title"
      className="rounded-control border border-line bg-sunken px-4 py-3.5 print:border-0 print:bg-transparent print:p-0"
    >
      <p id="sheet-title" className="text-small font-semibold break-words print:text-title">
        {title}
      </p>
      <p className="text-small text-muted">{sheetRule}</p>
      {/* Digits and letters of a code would change places in a script from right to left. */}
      <ol
        dir="ltr"
        className="mt-3 grid gap-x-6 gap-y-1.5 font-mono text-small @[35rem]:grid-cols-2 print:mt-6 print:grid-cols-1 print:gap-y-3"
      >
        {codes.map((code) => (
          <li key={code}>
            <span className="inline-block">{code.slice(0, half)}</span>
            <span className="inline-block">{code.slice(half)}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

function UnsavedDialog({ onBack, onSaved }: { onBack: () => void; onSaved: () => void }) {
  const words = useWords('profile')
  return (
    <Dialog title={words.unsavedCodes} busy={false} onClose={onBack}>
      <p className="mt-1 text-muted">{words.unsavedCodesText}</p>
      <DialogButtons>
        <Button look="secondary" onClick={onBack}>
          {words.backToCodes}
        </Button>
        <Button onClick={onSaved}>{words.codesSaved}</Button>
      </DialogButtons>
    </Dialog>
  )
}

/** For how long the button says how copying went, in milliseconds. */
const outcomeShownFor = 4_000

function CopyButton({ text, onCopied }: { text: string; onCopied: () => void }) {
  const words = useWords('profile')
  const announce = useAnnounce()
  const [outcome, setOutcome] = useState<{ label: string } | null>(null)
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(null), outcomeShownFor)
    return () => clearTimeout(timer)
  }, [outcome])
  function showOutcome(label: string) {
    setOutcome({ label })
    announce(label)
  }
  function copy() {
    const writing = navigator.clipboard?.writeText(text) ?? Promise.reject()
    writing.then(
      () => {
        showOutcome(words.copied)
        onCopied()
      },
      () => showOutcome(words.copyFailed),
    )
  }
  return (
    <Button look="secondary" onClick={copy}>
      {outcome?.label ?? words.copy}
    </Button>
  )
}
