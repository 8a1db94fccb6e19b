'use client'

import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { Messages, PageFeedbackProvider } from '@/components/ui/feedback/page-feedback'
import { useAction } from '@/components/ui/feedback/use-action'
import { SignOutIcon } from '@/components/ui/icons/icons'
import { navigate } from '@/components/ui/navigation'
import { useWords } from '@/components/ui/words/words'
import { signOut } from '@/lib/browser/sign-in/sign-out'

/**
 * Ends this session. Leaves the page only once that has succeeded; otherwise says below the button why it has not, in messages
 * of its own, because the header is outside the page's.
 */
export function SignOut({ supportUrl }: { supportUrl: string | null }) {
  return (
    <PageFeedbackProvider supportUrl={supportUrl}>
      <SignOutButton />
    </PageFeedbackProvider>
  )
}

function SignOutButton() {
  const words = useWords('account')
  const scope = useRef<HTMLDivElement>(null)
  const action = useAction(scope)
  const pending = action.pending !== null
  const run = () => action.run('sign-out', signOut, () => navigate('/signin'))
  return (
    <div ref={scope}>
      <Button look="plain" className="w-full justify-start px-2.5" pending={pending} onClick={run}>
        {!pending && <SignOutIcon />}
        {words.signOut}
      </Button>
      <Messages live showsWaiting={false} place={action.place} className="not-empty:mt-1.5" />
    </div>
  )
}
