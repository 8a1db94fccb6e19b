'use client'

import { type Ref, useState } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { useAnnounce } from '@/components/account/announcements'
import { Button } from '@/components/ui/button'
import { DownloadLink } from '@/components/ui/download-link'

/** Where a code may break on a narrow screen: after three of its six groups. */
const half = 'XXXX-XXXX-XXXX-'.length

interface Props {
  ref: Ref<HTMLElement>
  codes: string[]
  onDone: () => void
}

/** New recovery codes to copy, download or print. Only the sheet is printed. */
export function RecoveryCodeSheet({ ref, codes, onDone }: Props) {
  const { account, site } = useAccountPage()
  const title = `${site.appName} recovery codes for ${account.username}`
  const rule = 'Each code works once, on the sign-in page. Earlier codes no longer work.'
  const text = [title, rule, '', ...codes, ''].join('\n')
  return (
    <>
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
        <p className="text-small text-muted">{rule}</p>
        <ol className="mt-3 grid gap-x-6 gap-y-1.5 font-mono text-small sm:grid-cols-2 print:mt-6 print:grid-cols-1 print:gap-y-3">
          {codes.map((code) => (
            <li key={code}>
              <span className="inline-block">{code.slice(0, half)}</span>
              <span className="inline-block">{code.slice(half)}</span>
            </li>
          ))}
        </ol>
      </section>
      <div className="mt-4 grid grid-cols-2 gap-2.5 sm:flex">
        <CopyButton text={text} />
        <DownloadLink text={text} filename={`${site.appName.toLowerCase()}-recovery-codes.txt`}>
          Download
        </DownloadLink>
        <Button look="secondary" onClick={() => window.print()}>
          Print
        </Button>
        <Button onClick={onDone}>Done</Button>
      </div>
    </>
  )
}

function CopyButton({ text }: { text: string }) {
  const announce = useAnnounce()
  const [label, setLabel] = useState('Copy')
  function say(outcome: string) {
    setLabel(outcome)
    announce(outcome)
  }
  function copy() {
    const writing = navigator.clipboard?.writeText(text) ?? Promise.reject()
    writing.then(
      () => say('Copied'),
      () => say("Couldn't copy"),
    )
  }
  return (
    <Button look="secondary" onClick={copy}>
      {label}
    </Button>
  )
}
