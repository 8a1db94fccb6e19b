import type { ReactNode } from 'react'

/** In place of a list without entries: what it is for, and what to do first. */
export function EmptyList({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <div className="mt-8 rounded-card border border-dashed border-edge px-5 py-10 text-center sm:px-8">
      <h2 className="text-title font-semibold">{title}</h2>
      <p className="mx-auto mt-1 max-w-md text-muted">{text}</p>
      {children && <div className="mt-5 flex justify-center">{children}</div>}
    </div>
  )
}
