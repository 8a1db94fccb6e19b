'use client'

import { useEffect, useRef } from 'react'
import { Button, ButtonLink } from '@/components/ui/button'
import { Messages, PageFeedbackProvider } from '@/components/ui/feedback/page-feedback'
import { useAction } from '@/components/ui/feedback/use-action'
import { navigate } from '@/components/ui/navigation'
import { confirmAppLogout } from '@/lib/browser/account/apps'
import { showAccount } from '@/lib/browser/requests/shown-account'

interface Props {
  request: string
  /** The account that the page shows. */
  accountId: string
  signOut: string
  stay: string
  supportUrl: string | null
}

/** What a person can answer to an app's logout. */
export function AppSignOut(props: Props) {
  return (
    <PageFeedbackProvider supportUrl={props.supportUrl}>
      <Answers {...props} />
    </PageFeedbackProvider>
  )
}

function Answers({ request, accountId, signOut, stay }: Props) {
  const scope = useRef<HTMLDivElement>(null)
  const location = useRef('')
  // Navigated to by script: `form-action 'self'` would stop a form's redirect to the app.
  const action = useAction(scope, () => navigate(location.current))
  useEffect(() => showAccount(accountId), [accountId])
  const confirm = () =>
    action.run('sign-out', () =>
      confirmAppLogout(request, (path) => {
        location.current = path
      }),
    )
  return (
    <div ref={scope}>
      <Messages live place={action.place} />
      <div className="flex flex-col gap-2">
        <Button pending={action.pending !== null} onClick={confirm}>
          {signOut}
        </Button>
        <ButtonLink href="/profile" look="quiet">
          {stay}
        </ButtonLink>
      </div>
    </div>
  )
}
