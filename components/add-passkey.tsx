'use client'

import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { Button, ButtonLink } from '@/components/button'
import { PasskeyIcon } from '@/components/icons'
import { Notice, Outcomes } from '@/components/notice'
import { useAttempt } from '@/components/use-attempt'
import { usePasskey } from '@/components/use-passkey'
import { addPasskey } from '@/lib/client/passkeys'
import type { Site } from '@/lib/client/site'

/** Adds a passkey to this account; the list on the page is then fetched afresh. */
export function AddPasskey({ site }: { site: Site }) {
  const scope = useRef<HTMLDivElement>(null)
  const router = useRouter()
  const attempt = useAttempt(scope, () => {
    router.refresh()
    return 'The passkey was added.'
  })
  const barrier = usePasskey(site, attempt)
  if (barrier) return <Notice>{barrier}</Notice>
  const busy = attempt.pending !== null
  const signedOut = attempt.failure?.code === 'not_signed_in'
  return (
    <div ref={scope}>
      <Outcomes failure={attempt.failure} remark={attempt.remark} />
      {signedOut ? (
        <ButtonLink href="/signin?next=/passkeys">Sign in</ButtonLink>
      ) : (
        <Button className="w-full sm:w-auto" pending={busy} onClick={() => attempt.run('add', addPasskey)}>
          {!busy && <PasskeyIcon />}
          Add a passkey
        </Button>
      )}
    </div>
  )
}
