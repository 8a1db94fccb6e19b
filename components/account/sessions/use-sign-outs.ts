'use client'

import { useRouter } from 'next/navigation'
import { type RefObject, useRef } from 'react'
import { useAccountAction } from '@/components/account/use-account-action'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { navigate } from '@/components/ui/navigation'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import type { Outcome } from '@/lib/browser/failures/errors'
import { signOutEverywhere, signOutEverywhereElse, signOutSession } from '@/lib/browser/sign-in/sign-out'

/** Ends sessions of the account: one, all but this one, or all, which leaves the page. */
export function useSignOuts(list: RefObject<HTMLElement | null>) {
  const words = useWords('sessions')
  const fill = useFill()
  const { focusAfterUpdate } = usePageFeedback()
  const router = useRouter()
  const done = useRef('')
  const action = useAccountAction(list, () => {
    if (!done.current) return navigate('/signin')
    router.refresh()
    // The row that has the focus goes away.
    focusAfterUpdate(() => list.current)
    return done.current
  })

  /** Without a message, the page is left. */
  function run(name: string, operation: () => Promise<Outcome>, message = '') {
    done.current = message
    action.run(name, operation)
  }
  return {
    action,
    one: (session: { id: string; browser: string }) =>
      run(session.id, () => signOutSession(session), fill(words.browserSignedOut, { browser: session.browser })),
    elsewhere: () => run('elsewhere', signOutEverywhereElse, words.signedOutElsewhere),
    everywhere: () => run('everywhere', signOutEverywhere),
  }
}
