'use client'

import { type ComponentProps, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { useIsPromptOpen } from '@/components/ui/feedback/page-feedback'
import { PasskeyIcon } from '@/components/ui/icons/form-icons'
import { useClientPromise, useClientValue } from '@/components/ui/use-client-value'
import { useWords } from '@/components/ui/words/words'
import type { Site } from '@/lib/api/site'
import { canStoreWithoutSecurityKey, passkeyUnsupportedReason } from '@/lib/browser/passkeys/capabilities'
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
    <div className={`passkey-button ${className}`}>
      <Button ref={start} {...button}>
        <span className="passkey-label">
          <PasskeyIcon />
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

/** Says why passkeys don't work on this page; null if they do; undefined until hydration. */
export const usePasskeySupport = (site: Site): string | null | undefined =>
  useClientValue<string | null | undefined>(() => passkeyUnsupportedReason(site), unknown)

const unknown = () => undefined

/** True once the browser reports that only a security key can store a passkey. */
export const useSecurityKeysOnly = () => !useClientPromise(canStoreWithoutSecurityKey, true)
