'use client'

import { useRef, useState } from 'react'
import { ActionButton, ActionMessages, useAccountAction } from '@/components/account/action'
import { useSettledPress } from '@/components/apps/answering'
import { Callout } from '@/components/ui/feedback/callout'
import { usePageFeedback } from '@/components/ui/feedback/page-feedback'
import { useFill } from '@/components/ui/words/filled'
import { useWords } from '@/components/ui/words/words'
import { answerDevice } from '@/lib/browser/apps'

interface Props {
  userCode: string
  app: string
  /** The page's title, which says the answer once there is one */
  titleId: string
  /** Why this account cannot allow it */
  obstacle?: string
}

/** The buttons for answering a device's request, and then what came of it. */
export function DeviceButtons({ userCode, app, titleId, obstacle }: Props) {
  const words = useWords('device')
  const fill = useFill()
  const scope = useRef<HTMLDivElement>(null)
  const { focusAfterUpdate } = usePageFeedback()
  const action = useAccountAction(scope)
  const settled = useSettledPress()
  const [answer, setAnswer] = useState<boolean | null>(null)
  const press = (name: string, isAllowed: boolean) =>
    settled(() =>
      action.run(
        name,
        () => answerDevice(userCode, isAllowed),
        () => {
          setAnswer(isAllowed)
          focusAfterUpdate(() => scope.current)
        },
      ),
    )
  if (answer !== null)
    return (
      // biome-ignore lint/a11y/useSemanticElements: as in Setting.
      <div
        ref={scope}
        tabIndex={-1}
        role="group"
        aria-labelledby={titleId}
        data-answer={answer ? 'allowed' : 'declined'}
        className="outline-none"
      >
        <Callout tone={answer ? 'success' : 'info'}>{answer ? words.allowedText : words.declinedText}</Callout>
      </div>
    )
  return (
    <div ref={scope}>
      <ActionMessages action={action} />
      {obstacle !== undefined && <Callout className="mb-4">{obstacle}</Callout>}
      {obstacle === undefined && (
        <ActionButton action={action} name="allow" look="secondary" className="w-full" onClick={press('allow', true)}>
          {fill(words.allow, { app })}
        </ActionButton>
      )}
      {/* The primary button is the answer that costs nothing, for people who are not sure. */}
      <ActionButton
        action={action}
        name="decline"
        look="primary"
        className="mt-2 w-full"
        onClick={press('decline', false)}
      >
        {words.decline}
      </ActionButton>
    </div>
  )
}
