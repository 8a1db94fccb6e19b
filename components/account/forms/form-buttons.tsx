'use client'

import { Button } from '@/components/ui/button'
import { useWords } from '@/components/ui/words/words'

interface Props {
  /** "Save" unless given */
  label?: string
  pending: boolean
  onCancel: (() => void) | null
}

/** The buttons of a form that changes something in place. */
export function FormButtons({ label, pending, onCancel }: Props) {
  const { cancel } = useWords('forms')
  const { save } = useWords('account')
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="submit" pending={pending}>
        {label ?? save}
      </Button>
      {onCancel && (
        <Button look="quiet" disabled={pending} onClick={onCancel}>
          {cancel}
        </Button>
      )}
    </div>
  )
}
