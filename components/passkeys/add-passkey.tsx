'use client'

import { useRouter } from 'next/navigation'
import { type RefObject, useEffect, useRef } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionOutcomes } from '@/components/account/action-outcomes'
import { useAccountAction } from '@/components/account/use-account-action'
import { usePasskeySupport } from '@/components/auth/use-passkey-support'
import { Button } from '@/components/ui/button'
import { PasskeyIcon } from '@/components/ui/icons'
import { Notice } from '@/components/ui/notice'
import { addPasskey } from '@/lib/browser/passkeys/manage'

/** Adds a passkey to this account; the list on the page is then fetched afresh. It also tells what became of a removed one. */
export function AddPasskey() {
  const { account, site, told } = useAccountPage()
  const scope = useRef<HTMLDivElement>(null)
  const router = useRouter()
  const action = useAccountAction(scope, () => {
    router.refresh()
    return 'The passkey was added.'
  })
  const unsupportedReason = usePasskeySupport(site, action)
  useFocusAfterRemoval(scope, account.passkeys.length)
  const busy = action.pending !== null
  return (
    <div ref={scope}>
      <ActionOutcomes action={action} told={told} />
      {unsupportedReason ? (
        <Notice>{unsupportedReason}</Notice>
      ) : (
        action.failure?.code !== 'not_signed_in' && (
          <Button
            className="w-full sm:w-auto"
            pending={busy}
            onClick={() => action.run('add', () => addPasskey(account))}
          >
            {!busy && <PasskeyIcon />}
            Add a passkey
          </Button>
        )
      )}
    </div>
  )
}

/** The focus was on the card of the passkey that has just gone; it goes on from here, where the page says so. */
function useFocusAfterRemoval(scope: RefObject<HTMLElement | null>, count: number) {
  const before = useRef(count)
  useEffect(() => {
    const isLost = count < before.current && document.activeElement === document.body
    before.current = count
    if (isLost) scope.current?.querySelector('button')?.focus()
  }, [scope, count])
}
