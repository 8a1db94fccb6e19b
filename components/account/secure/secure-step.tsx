'use client'

import { createContext, type ReactNode, useContext, useId } from 'react'
import { Card } from '@/components/ui/card'
import { CheckIcon } from '@/components/ui/icons/form-icons'
import { useWords } from '@/components/ui/words/words'

const TitleId = createContext<string | undefined>(undefined)

/** The id of the title of the step around a component. */
export const useStepTitleId = () => useContext(TitleId)

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
