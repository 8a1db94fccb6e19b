'use client'

import { useRef } from 'react'
import { useAccountPage } from '@/components/account/account-page'
import { ActionMessages } from '@/components/account/action-messages'
import { useAccountAction } from '@/components/account/use-account-action'
import { Button } from '@/components/ui/button'
import { navigate } from '@/components/ui/navigation'
import { signOut, signOutEverywhere } from '@/lib/browser/sign-out'

/** Ends this session, or all of them. Leaves the page only once that has succeeded. */
export function SignOut() {
  const { account } = useAccountPage()
  const scope = useRef<HTMLDivElement>(null)
  const action = useAccountAction(scope, () => navigate('/signin'))
  const busy = action.pending !== null
  return (
    <div ref={scope}>
      <ActionMessages action={action} />
      <div className="flex flex-col gap-2.5 sm:flex-row">
        <Button
          look="secondary"
          pending={action.pending === 'sign-out'}
          disabled={busy}
          onClick={() => action.run('sign-out', signOut)}
        >
          Sign out
        </Button>
        <Button
          look="secondary"
          pending={action.pending === 'everywhere'}
          disabled={busy}
          onClick={() => action.run('everywhere', () => signOutEverywhere(account))}
        >
          Sign out everywhere
        </Button>
      </div>
    </div>
  )
}
