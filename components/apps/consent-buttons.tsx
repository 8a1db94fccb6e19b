'use client'

import { useRef } from 'react'
import { ActionMessages } from '@/components/account/forms/action-messages'
import { useAccountAction } from '@/components/account/forms/use-account-action'
import { ReturnNotice, staysPending, useReturnToApp } from '@/components/apps/return-to-app'
import { useSettledPress } from '@/components/apps/use-settled-press'
import { ActionButton } from '@/components/ui/feedback/action-button'
import { useWords } from '@/components/ui/words/words'
import { answerAppRequest } from '@/lib/browser/account'

interface Props {
  request: string
  /** The label; without it, the person cannot allow the app */
  allow?: string
  decline: string
}

/** The buttons for answering an app's request. */
export function ConsentButtons({ request, allow, decline }: Props) {
  const scope = useRef<HTMLDivElement>(null)
  const { closePage } = useWords('appRequest')
  const { hasNotLeft, returnToApp } = useReturnToApp(scope)
  const settled = useSettledPress()
  const action = useAccountAction(scope)
  const answer = (name: string, isAllowed: boolean) =>
    settled(() => action.run(name, () => answerAppRequest(request, isAllowed, returnToApp), staysPending))
  if (hasNotLeft) return <ReturnNotice scope={scope} text={closePage} />
  return (
    <div ref={scope}>
      <ActionMessages action={action} />
      {allow && (
        <ActionButton action={action} name="allow" className="w-full" onClick={answer('allow', true)}>
          {allow}
        </ActionButton>
      )}
      <ActionButton
        action={action}
        name="decline"
        look={allow ? 'quiet' : 'secondary'}
        className="mt-2 w-full"
        onClick={answer('decline', false)}
      >
        {decline}
      </ActionButton>
    </div>
  )
}
