'use client'

import { type ComponentProps, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button'
import { useAnnounce } from '@/components/ui/feedback/announcements'
import { useWords } from '@/components/ui/words/words'

interface Props extends Pick<ComponentProps<typeof Button>, 'look'> {
  text: string
  /** What it copies, where several such buttons stand: screen readers then tell them apart */
  name?: string | undefined
  /** In place of "Copy" */
  label?: string
  onCopied?: (() => void) | undefined
}

/** The button shows the outcome of copying for so many milliseconds. */
const outcomeShownFor = 4_000

export function CopyButton({ text, name, label, onCopied, look = 'secondary' }: Props) {
  const words = useWords('account')
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
    // An async function, because the call itself may throw where the clipboard is missing or forbidden.
    const write = async () => navigator.clipboard.writeText(text)
    write().then(
      () => {
        showOutcome(words.copied)
        onCopied?.()
      },
      () => showOutcome(words.copyFailed),
    )
  }
  const shown = outcome?.label ?? label ?? words.copy
  return (
    <Button look={look} aria-label={name && `${shown}: ${name}`} onClick={copy}>
      {shown}
    </Button>
  )
}
