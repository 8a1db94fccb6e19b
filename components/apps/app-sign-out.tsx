'use client'

import { useEffect, useRef } from 'react'
import { ReturnNotice, staysPending, useReturnToApp, useSettledPress } from '@/components/apps/answering'
import { Button, ButtonLink } from '@/components/ui/button'
import { Messages, PageFeedbackProvider, useAction } from '@/components/ui/feedback/page-feedback'
import { confirmAppLogout } from '@/lib/browser/apps'
import { showAccount } from '@/lib/browser/requests/post'

interface Props {
  request: string
  /** The account that the page shows. */
  accountId: string
  signOut: string
  stay: string
  /** The sentence for a page that stays although it has led back to an app; null without an app */
  closePage: string | null
  supportUrl: string | null
}

/** The buttons for answering an app's logout. */
export function AppSignOut(props: Props) {
  return (
    <PageFeedbackProvider supportUrl={props.supportUrl}>
      <SignOutButtons {...props} />
    </PageFeedbackProvider>
  )
}

function SignOutButtons({ request, accountId, signOut, stay, closePage }: Props) {
  const scope = useRef<HTMLDivElement>(null)
  const { hasNotLeft, returnToApp } = useReturnToApp(scope)
  const settled = useSettledPress()
  const action = useAction(scope)
  useEffect(() => showAccount(accountId), [accountId])
  const confirm = () => action.run('sign-out', () => confirmAppLogout(request, returnToApp), staysPending)
  if (hasNotLeft && closePage) return <ReturnNotice scope={scope} text={closePage} />
  return (
    <div ref={scope}>
      <Messages live place={action.place} />
      <div className="flex flex-col gap-2">
        <Button pending={action.pending !== null} onClick={settled(confirm)}>
          {signOut}
        </Button>
        <ButtonLink href="/profile" look="quiet">
          {stay}
        </ButtonLink>
      </div>
    </div>
  )
}
