'use client'

import { type ComponentProps, type ReactNode, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { useIsPromptOpen } from '@/components/ui/feedback/page-feedback'
import { PasskeyIcon } from '@/components/ui/icons/form-icons'
import { useClientPromise, useClientValue } from '@/components/ui/use-client-value'
import { useWords } from '@/components/ui/words/words'
import type { Site } from '@/lib/api/site'
import { canStoreWithoutSecurityKey, passkeyUnsupportedReason } from '@/lib/browser/passkeys/capabilities'
import { cancelPrompt } from '@/lib/browser/passkeys/prompt'

interface Props extends ComponentProps<typeof Button> {
  /** Stands at the button's edge */
  badge?: ReactNode
}

/**
 * Starts a ceremony. While the browser waits for the device, the button says so, and another one cancels: beside it, or below a
 * button of the full width, in the place of what stands there.
 */
export function PasskeyButton({ children, className = '', badge, ...button }: Props) {
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
      {badge}
      {isWaiting && (
        <Button look="quiet" className="cancel" onClick={stop}>
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
