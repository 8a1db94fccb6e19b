'use client'

import { type ComponentProps, type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { Button, ButtonLink } from '@/components/ui/button'
import { CopyButton } from '@/components/ui/copy-button'
import { UnsavedDialog, useQuestionOnLeaving } from '@/components/ui/unsaved'
import { Filled, useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { useAccountContext } from '../account-provider'
import { Username } from '../username'

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
  const title = fill(words.sheetTitle, { app: site.appName, username: account.username })
  // Remembers if there were codes before, since the page may learn of the new ones while it shows them.
  const [isReplacing] = useState(account.recoveryCodesLeft > 0)
  const rule = [words.sheetRule, isReplacing && words.sheetReplaces].filter(Boolean).join(' ')
  const text = [title, rule, '', ...codes, ''].join('\n')
  const [isSaved, setSaved] = useState(false)
  const wasAsked = useRef(false)
  const [isOpen, setOpen] = useState(false)
  useQuestionOnLeaving(!isSaved)
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
        title={
          <Filled
            message={words.sheetTitle}
            values={{ app: site.appName, username: <Username name={account.username} /> }}
          />
        }
        rule={rule}
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
          saved={words.codesSaved}
          onBack={() => setOpen(false)}
          onSaved={onDone}
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

/** A code may break here on a narrow screen: after three of its six groups. */
const half = 'XXXX-XXXX-XXXX-'.length

interface SheetProps {
  ref: Ref<HTMLElement>
  title: ReactNode
  rule: string
  codes: string[]
}

/** The only part of the page that a printer gets. */
function Sheet({ ref, title, rule, codes }: SheetProps) {
  return (
    <section
      ref={ref}
      tabIndex={-1}
      data-sheet
      aria-labelledby="sheet-title"
      className="rounded-control border border-line bg-sunken px-[min(1rem,3.7vw)] py-3.5 print:border-0 print:bg-transparent print:p-0"
    >
      <p id="sheet-title" className="text-small font-semibold break-words print:text-title">
        {title}
      </p>
      <p className="text-small text-muted">{rule}</p>
      {/* Digits and letters of a code would change places in a script from right to left. */}
      <ol
        dir="ltr"
        translate="no"
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
