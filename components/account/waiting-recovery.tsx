'use client'

import { useRouter } from 'next/navigation'
import { startTransition, useRef, useState } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages, useAccountAction } from '@/components/account/action'
import { Button } from '@/components/ui/button'
import { AlertIcon } from '@/components/ui/icons/form-icons'
import { MomentInText } from '@/components/ui/words/day'
import { Filled } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { stopOwnRecovery } from '@/lib/browser/account'

/** Shows a recovery by mail that waits, on every page of a session, until somebody stops it. */
export function WaitingRecovery() {
  const words = useWords('account')
  const { recovery } = useAccountContext().account
  const router = useRouter()
  const scope = useRef<HTMLDivElement>(null)
  const action = useAccountAction(scope)
  const [isStopped, setStopped] = useState(false)
  function stop() {
    void action.run('stop', stopOwnRecovery, () => {
      setStopped(true)
      startTransition(() => router.refresh())
      return words.recoveryStopped
    })
  }
  if (recovery === null && !isStopped) return null
  return (
    <div ref={scope}>
      <ActionMessages action={action} />
      {!isStopped && recovery && (
        <section
          aria-labelledby="recovery"
          className="mb-12 rounded-card border border-danger-line bg-danger-wash px-card py-5 text-start sm:mb-16"
        >
          <h2 id="recovery" className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-title font-semibold">
            <span className="text-danger">
              <AlertIcon />
            </span>
            <span className="min-w-0 grow basis-32 break-words">{words.recoveryWaits}</span>
          </h2>
          <p className="mt-2 max-w-prose">
            <Filled message={words.recoveryText} values={{ time: <MomentInText at={recovery.at} /> }} />
          </p>
          <Button look="danger" className="mt-4" pending={action.pending === 'stop'} onClick={stop}>
            {words.stopRecovery}
          </Button>
        </section>
      )}
    </div>
  )
}
