'use client'

import { useRef } from 'react'
import { ActionMessages } from '@/components/account/forms/action-messages'
import { useSignOuts } from '@/components/account/sessions/use-sign-outs'
import { Button } from '@/components/ui/button'
import { useWords } from '@/components/ui/words/words'

/** Ends all other sessions. */
export function SignOutElsewhere({ isNext }: { isNext: boolean }) {
  const { sessionsText } = useWords('secure')
  const { signOutElsewhere } = useWords('sessions')
  const scope = useRef<HTMLDivElement>(null)
  const { action, elsewhere } = useSignOuts(scope)
  return (
    <div ref={scope} tabIndex={-1} className="py-3 outline-none">
      <ActionMessages action={action} />
      <p className="mb-4 text-muted">{sessionsText}</p>
      <Button
        look={isNext ? 'primary' : 'secondary'}
        className="max-sm:w-full"
        pending={action.pending !== null}
        onClick={elsewhere}
      >
        {signOutElsewhere}
      </Button>
    </div>
  )
}
