import type { ReactNode } from 'react'
import { useStepTitleId } from '@/components/account/secure/secure-step'
import { Button } from '@/components/ui/button'
import { useWords } from '@/components/ui/words/words'

interface AnswerProps {
  /** Whether this is the button to press first. */
  isNext: boolean
  onConfirm: () => void
  /** What is confirmed. */
  children: ReactNode
}

/** Ends a step whose list is all the owner's. */
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

/** Ends a step whose setting may stay as it is, where that is offered and while the setting is not being changed. */
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

/** Described by the step's title, because several steps have the same answer. */
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
