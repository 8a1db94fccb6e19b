'use client'

import type { RefObject } from 'react'
import { useAccountAction } from '@/components/account/forms/use-account-action'
import { useRefresh } from '@/components/account/forms/use-refresh'
import { navigate } from '@/components/ui/navigation'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { signOutEverywhere, signOutEverywhereElse, signOutSession } from '@/lib/browser/sign-in/sign-out'

/** Ends sessions of the account: one, all but this one, or all, which leaves the page. */
export function useSignOuts(list: RefObject<HTMLElement | null>) {
  const words = useWords('sessions')
  const fill = useFill()
  const refresh = useRefresh(list)
  const action = useAccountAction(list)

  const stay = (message: string) => () => {
    refresh()
    return message
  }
  return {
    action,
    one: (session: { id: string; browser: string }) =>
      action.run(
        session.id,
        () => signOutSession(session),
        stay(fill(words.browserSignedOut, { browser: session.browser })),
      ),
    elsewhere: () => action.run('elsewhere', signOutEverywhereElse, stay(words.signedOutElsewhere)),
    everywhere: () => action.run('everywhere', signOutEverywhere, () => navigate('/signin')),
  }
}
