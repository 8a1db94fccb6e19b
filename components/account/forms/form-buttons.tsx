'use client'

import { Button } from '@/components/ui/button'
import { useWords } from '@/components/ui/words/words'

/** The buttons of a form that changes something in place. */
export function FormButtons({ pending, onCancel }: { pending: boolean; onCancel: () => void }) {
  const { cancel } = useWords('forms')
  const { save } = useWords('account')
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="submit" pending={pending}>
        {save}
      </Button>
      <Button look="quiet" disabled={pending} onClick={onCancel}>
        {cancel}
      </Button>
    </div>
  )
}
