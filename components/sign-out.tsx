'use client'

import { useRef } from 'react'
import { Button } from '@/components/button'
import { Outcomes } from '@/components/notice'
import { leaveFor } from '@/components/submitted'
import { useAttempt } from '@/components/use-attempt'
import { signOut } from '@/lib/client/sign-out'

/** Ends this session. When that fails the person stays where they are and is told so: they are still signed in. */
export function SignOut() {
  const scope = useRef<HTMLDivElement>(null)
  const attempt = useAttempt(scope, () => leaveFor('/signin'))
  const busy = attempt.pending !== null
  return (
    <div ref={scope}>
      <Outcomes failure={attempt.failure} remark={attempt.remark} />
      <Button
        look="secondary"
        className="w-full sm:w-auto"
        pending={busy}
        onClick={() => attempt.run('sign-out', signOut)}
      >
        Sign out
      </Button>
    </div>
  )
}
