'use client'

import { useRef } from 'react'
import { Button } from '@/components/ui/button'
import { navigate } from '@/components/ui/navigation'
import { Messages, PageFeedbackProvider } from '@/components/ui/page-feedback'
import { useAction } from '@/components/ui/use-action'
import { useWords } from '@/components/ui/words'
import { signOut } from '@/lib/browser/sign-out'

/** Ends this session, from the header of a signed-in page. Leaves the page only once that has succeeded. */
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
  const action = useAction(scope, () => navigate('/signin'))
  return (
    <div ref={scope} className="relative shrink-0">
      <Button
        look="quiet"
        className="px-2.5 text-small text-muted! hover:bg-transparent! hover:text-ink!"
        pending={action.pending !== null}
        onClick={() => action.run('sign-out', signOut)}
      >
        {words.signOut}
      </Button>
      <div className="absolute end-2.5 top-full z-10 mt-3 w-[min(22rem,calc(100vw-2rem))]">
        <Messages live place={action.place} className="" />
      </div>
    </div>
  )
}
