'use client'

import { encodeQR } from 'qr'
import { Fragment, type ReactNode, useId, useRef, useState } from 'react'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButtons } from '@/components/ui/dialog'
import { CopyButton, UnsavedDialog, useQuestionOnLeaving } from '@/components/ui/keep'
import { useClientValue } from '@/components/ui/use-client-value'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'

interface CopyFieldProps {
  label: string
  value: string
  /** What else it is called, or what it is for */
  hint?: ReactNode
  /** For a value that is shown once: copying it is then the step that the page asks for */
  onCopied?: (() => void) | undefined
  /** Shows only the beginning, of what nobody reads or types */
  isShort?: boolean
}

/** A value to take elsewhere, in letters of one width, with the button that copies it. */
export function CopyField({ label, value, hint, onCopied, isShort = false }: CopyFieldProps) {
  const id = useId()
  const [isCopied, setCopied] = useState(false)
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for the controls of a form.
    <div role="group" aria-labelledby={id}>
      <p id={id} className="text-small font-medium">
        {label}
      </p>
      <div className="mt-1 flex flex-wrap items-center gap-2 rounded-control border border-line bg-sunken py-1 ps-3 pe-1">
        {/* Left to right in every language: letters and digits would change places otherwise. */}
        <div dir="ltr" className={`min-w-0 grow basis-40 ${isShort ? 'truncate' : 'wrap-anywhere'}`}>
          <code translate="no" className="font-mono text-small select-all">
            {(isShort ? [] : (value.match(/[^/]+\/*|\/+/g) ?? [])).map((part, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a value never move.
              <Fragment key={index}>
                {part}
                <wbr />
              </Fragment>
            ))}
            {/* In one line, which ends in an ellipsis: Chromium breaks it at a wbr. */}
            {isShort && value}
          </code>
        </div>
        <CopyButton
          look={onCopied && !isCopied ? 'primary' : 'quiet'}
          text={value}
          name={label}
          onCopied={
            onCopied &&
            (() => {
              setCopied(true)
              onCopied()
            })
          }
        />
      </div>
      {hint && <p className="mt-1 text-small text-muted">{hint}</p>}
    </div>
  )
}

/** Hands a link to the device's own sheet, where the browser has one. */
export function ShareButton({ title, url }: { title: string; url: string }) {
  const words = useWords('handOver')
  const isPossible = useClientValue(
    () => typeof navigator.share === 'function',
    () => false,
  )
  if (!isPossible) return null
  // Whoever closes the sheet has changed their mind, which is no failure.
  const share = () => void navigator.share({ title, url }).catch(() => undefined)
  return (
    <Button look="secondary" onClick={share}>
      {words.share}
    </Button>
  )
}

/** Readers need four empty modules on each side (ISO/IEC 18004, section 6.3.8). */
const quietZone = 4

/** A QR code, dark on light in either theme: many readers take no other. */
export function QrCode({ text, what }: { text: string; what: string }) {
  const words = useWords('handOver')
  const fill = useFill()
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: quietZone })
  const path = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  return (
    <svg
      role="img"
      aria-label={fill(words.qrOf, { what })}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      className="aspect-square w-full max-w-72 rounded-control border border-line bg-[#fff] [forced-color-adjust:none]"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}

/** Opens the QR code of a link. */
export function QrButton({ text, what }: { text: string; what: string }) {
  const words = useWords('handOver')
  const fill = useFill()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="secondary" aria-label={fill(words.qrOf, { what })} onClick={() => setOpen(true)}>
        {words.qr}
      </Button>
      {isOpen && (
        <Dialog title={fill(words.qrOf, { what })} busy={false} onClose={() => setOpen(false)}>
          <p className="mt-1 mb-4 text-muted">{words.qrText}</p>
          <QrCode text={text} what={what} />
          <DialogButtons>
            <Button look="secondary" onClick={() => setOpen(false)}>
              {words.close}
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </>
  )
}

interface ShownOnceProps {
  /** Renders what is shown; calls what it gets once it is copied */
  children: (onCopied: () => void) => ReactNode
  onKept: () => void
}

/** Shows a secret that nobody can show again: asks before it is lost, unless it was copied. */
export function ShownOnce({ children, onKept }: ShownOnceProps) {
  const words = useWords('handOver')
  const [isKept, setKept] = useState(false)
  const [isOpen, setOpen] = useState(false)
  const wasAsked = useRef(false)
  useQuestionOnLeaving(() => !isKept)
  function done() {
    // Asks once: who went back may be writing it down by hand.
    if (isKept || wasAsked.current) return leave()
    wasAsked.current = true
    setOpen(true)
  }
  function leave() {
    setOpen(false)
    setKept(true)
    onKept()
  }
  return (
    <>
      {children(() => setKept(true))}
      <div className="mt-6 grid sm:justify-start">
        <Button look={isKept ? 'primary' : 'secondary'} onClick={done}>
          {words.kept}
        </Button>
      </div>
      {isOpen && (
        <UnsavedDialog
          title={words.notKept}
          text={words.notKeptText}
          back={words.back}
          leave={words.kept}
          onBack={() => setOpen(false)}
          onLeave={leave}
        />
      )}
    </>
  )
}
