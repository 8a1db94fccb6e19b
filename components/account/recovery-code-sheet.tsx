'use client'

import { useEffect, useRef, useState } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { Button, DownloadLink } from '@/components/ui/button'

/** Where a code breaks when the screen is too narrow for it: after three of its six groups. */
const half = 'XXXX-XXXX-XXXX-'.length

/** Ten codes, on a sheet that can be copied, kept as a file, and printed: then it is all that the paper shows. */
export function RecoveryCodeSheet({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { account, site } = useAccountPage()
  const sheet = useRef<HTMLElement>(null)
  const title = `${site.appName} recovery codes for ${account.username}`
  const rule = 'Each works once, on the sign-in page. Older codes no longer work.'
  const text = [title, rule, '', ...codes, ''].join('\n')
  // The button that made the codes is gone, and here is what comes next.
  useEffect(() => sheet.current?.focus(), [])
  return (
    <>
      <section
        ref={sheet}
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

/** Copies a text, where the browser lets pages do that; otherwise it can still be marked and copied by hand. */
function CopyButton({ text }: { text: string }) {
  const [said, setSaid] = useState('')
  function copy() {
    const writing = navigator.clipboard?.writeText(text) ?? Promise.reject()
    writing.then(
      () => setSaid('Copied'),
      () => setSaid('Not allowed here'),
    )
  }
  return (
    <>
      <Button look="secondary" onClick={copy}>
        {said || 'Copy'}
      </Button>
      <span role="status" className="sr-only">
        {said}
      </span>
    </>
  )
}
