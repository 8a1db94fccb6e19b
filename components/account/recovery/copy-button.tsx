'use client'

import { useEffect, useState } from 'react'
import { useAnnounce } from '@/components/account/frame/announcements'
import { Button } from '@/components/ui/button'
import { useWords } from '@/components/ui/words/words'

/** For how long the button says how copying went, in milliseconds. */
const outcomeShownFor = 4_000

export function CopyButton({ text, onCopied }: { text: string; onCopied: () => void }) {
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
    // Async: where it is missing or forbidden, the call itself may throw.
    const write = async () => navigator.clipboard.writeText(text)
    write().then(
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
