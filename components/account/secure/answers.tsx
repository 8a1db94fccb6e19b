import type { ReactNode } from 'react'
import { useStepTitleId } from '@/components/account/secure/secure-step'
import { Button } from '@/components/ui/button'
import { useWords } from '@/components/ui/words/words'

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
