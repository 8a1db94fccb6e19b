import type { ReactNode } from 'react'

/** A surface with a title of its own; `titleId` names the section for screen readers. */
export function Card({
  title,
  titleId,
  action,
  children,
}: {
  title: string
  titleId: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <section aria-labelledby={titleId} className="rounded-card border border-line bg-surface">
      <div className="flex min-h-14 items-center justify-between gap-4 border-b border-line px-5 py-1.5 sm:px-6">
        <h2 id={titleId} className="text-title font-semibold">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

/** Rows of a card: what something is called, and what it is. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line px-5 sm:px-6">{children}</dl>
}

/** One row. On a phone the value goes below its name. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-0.5 py-3.5">
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 font-medium break-words">{children}</dd>
    </div>
  )
}
