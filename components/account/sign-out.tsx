'use client'

import { useRef } from 'react'
import { ActionMessages } from '@/components/account/action-messages'
import { useAccountAction } from '@/components/account/use-account-action'
import { Button } from '@/components/ui/button'
import { navigate } from '@/components/ui/navigation'
import { useWords } from '@/components/ui/words'
import { signOut } from '@/lib/browser/sign-out'

/** Ends this session. Leaves the page only once that has succeeded. */
export function SignOut() {
  const words = useWords('account')
  const scope = useRef<HTMLDivElement>(null)
  const action = useAccountAction(scope, () => navigate('/signin'))
  return (
    <div ref={scope}>
      <ActionMessages action={action} />
      <Button look="secondary" pending={action.pending !== null} onClick={() => action.run('sign-out', signOut)}>
        {words.signOut}
      </Button>
    </div>
  )
}
