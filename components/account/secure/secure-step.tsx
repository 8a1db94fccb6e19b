'use client'

import { createContext, type ReactNode, useContext, useId } from 'react'
import { Button } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { CheckIcon } from '@/components/ui/icons/form-icons'
import { useWords } from '@/components/ui/words/words'

const TitleId = createContext<string | undefined>(undefined)

/** The id of the title of the step around a component. */
const useStepTitleId = () => useContext(TitleId)

interface StepProps {
  number: number
  title: string
  isDone: boolean
  children: ReactNode
}

/** A step that secures an account. Once done, it collapses to its title and a tick, so the page gets shorter. */
export function SecureStep({ number, title, isDone, children }: StepProps) {
  const { stepDone } = useWords('secure')
  const titleId = useId()
  const heading = (
    <span className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
      {isDone ? (
        <span className="flex h-lh items-center self-start text-success">
          <CheckIcon />
          <span className="sr-only">{stepDone}</span>
        </span>
      ) : (
        <span className="text-muted">{number}.</span>
      )}
      <span className="min-w-0 grow basis-36 break-words">{title}</span>
    </span>
  )
  return (
    <li data-done={isDone || undefined}>
      <Card title={heading} titleId={titleId} isFocusable>
        <TitleId value={titleId}>{!isDone && <div className="px-card py-1">{children}</div>}</TitleId>
      </Card>
    </li>
  )
}

interface AnswerProps {
  /** True for the button to press first */
  isNext: boolean
  onConfirm: () => void
  /** The statement that the person confirms */
  children: ReactNode
}

/** Button for "I recognize all of these". */
export function AllKnown({ isNext, onConfirm, children }: AnswerProps) {
  const { known } = useWords('secure')
  return (
    <div className="pb-3">
      {children}
      <Answer isNext={isNext} onConfirm={onConfirm}>
        {known}
      </Answer>
    </div>
  )
}

/** Button for "this may stay as it is", where the step offers that and while nobody is changing the setting. */
export function MayStay({ isOffered, isNext, onConfirm, children }: AnswerProps & { isOffered: boolean }) {
  const { leave } = useWords('secure')
  return (
    <div className="group">
      {children}
      {isOffered && (
        <div className="mt-1 pb-3 group-has-data-open:hidden">
          <Answer isNext={isNext} onConfirm={onConfirm}>
            {leave}
          </Answer>
        </div>
      )}
    </div>
  )
}

/** A button with the step's title as its description, because several steps have the same answer. */
const Answer = ({ isNext, onConfirm, children }: AnswerProps) => (
  <Button
    look={isNext ? 'primary' : 'secondary'}
    aria-describedby={useStepTitleId()}
    className="max-sm:w-full"
    onClick={onConfirm}
  >
    {children}
  </Button>
)
