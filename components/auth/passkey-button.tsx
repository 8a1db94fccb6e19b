'use client'

import { type ComponentProps, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { useIsPromptOpen } from '@/components/ui/feedback/page-feedback'
import { PasskeyIcon } from '@/components/ui/icons/form-icons'
import { useWords } from '@/components/ui/words/words'
import { cancelPrompt } from '@/lib/browser/passkeys/prompt'

/** Starts a ceremony. While the browser waits for the device, the button says so and cancels. */
export function PasskeyButton({ children, className = '', ...button }: ComponentProps<typeof Button>) {
  const { waiting, cancel } = useWords('forms')
  const isWaiting = useIsPromptOpen() && button.pending
  const start = useRef<HTMLButtonElement>(null)
  function stop() {
    // The pressed button goes away.
    start.current?.focus()
    cancelPrompt()
  }
  return (
    <div className={`inline-flex flex-wrap justify-center gap-2 ${className}`}>
      <Button ref={start} className="grow" {...button}>
        {/* In one element: text that wraps takes the whole width, and would leave an icon before it at the edge. */}
        <span className="min-w-0 wrap-anywhere">
          <span className="me-2.5 inline-block align-[-0.25em]">
            <PasskeyIcon />
          </span>
          {isWaiting ? waiting : children}
        </span>
      </Button>
      {isWaiting && (
        <Button look="quiet" onClick={stop}>
          {cancel}
        </Button>
      )}
    </div>
  )
}
