'use client'

import { useEffect, useRef } from 'react'
import { Button } from '@/components/ui/button'
import { navigate } from '@/components/ui/navigation'
import { Messages, PageFeedbackProvider } from '@/components/ui/page-feedback'
import { useAction } from '@/components/ui/use-action'
import { answerAppRequest } from '@/lib/browser/apps'
import { showAccount } from '@/lib/browser/shown-account'

interface Props {
  request: string
  /** The account that the page shows. */
  accountId: string
  /** Without a label, nothing can be allowed. */
  allow?: string
  decline: string
  supportUrl: string | null
}

/** What a person can answer to an app's request. */
export function Consent(props: Props) {
  return (
    <PageFeedbackProvider supportUrl={props.supportUrl}>
      <Answers {...props} />
    </PageFeedbackProvider>
  )
}

function Answers({ request, accountId, allow, decline }: Props) {
  const scope = useRef<HTMLDivElement>(null)
  const location = useRef('')
  // Navigated to by script: `form-action 'self'` would stop a form's redirect to the app.
  const action = useAction(scope, () => navigate(location.current))
  useEffect(() => showAccount(accountId), [accountId])
  const answer = (name: string, isAllowed: boolean) => () =>
    action.run(name, () =>
      answerAppRequest(request, isAllowed, (path) => {
        location.current = path
      }),
    )
  const { pending } = action
  return (
    <div ref={scope}>
      <Messages live place={action.place} />
      {allow && (
        <Button
          className="w-full"
          pending={pending === 'allow'}
          disabled={pending !== null}
          onClick={answer('allow', true)}
        >
          {allow}
        </Button>
      )}
      <Button
        look={allow ? 'quiet' : 'secondary'}
        className="mt-2 w-full"
        pending={pending === 'decline'}
        disabled={pending !== null}
        onClick={answer('decline', false)}
      >
        {decline}
      </Button>
    </div>
  )
}
