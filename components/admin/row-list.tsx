import type { ReactNode, RefObject } from 'react'
import { EmptyList } from '@/components/admin/empty-list'
import { Messages } from '@/components/ui/feedback/page-feedback'

interface Props {
  list?: RefObject<HTMLDivElement | null>
  /** Its id, with which it gets the focus when one of the rows is gone */
  place: string
  /** In place of the rows where there are none */
  empty: { title: string; text: string }
  rows: readonly ReactNode[]
}

/** A card of rows that dialogs take away, with what they have to say above it. */
export function RowList({ list, place, empty, rows }: Props) {
  return (
    <div ref={list} id={place} tabIndex={-1} className="mt-8 outline-none">
      <Messages place={place} />
      {rows.length === 0 && <EmptyList {...empty} />}
      <ul className="divide-y not-has-[li]:hidden divide-line rounded-card border border-line bg-surface px-card shadow-raised">
        {rows}
      </ul>
    </div>
  )
}
