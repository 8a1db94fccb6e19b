import type { ReactNode } from 'react'

export function Card({ title, titleId, children }: { title: string; titleId: string; children: ReactNode }) {
  return (
    <section aria-labelledby={titleId} className="rounded-card border border-line bg-surface">
      <h2 id={titleId} className="border-b border-line px-5 py-4 text-title font-semibold sm:px-6">
        {title}
      </h2>
      {children}
    </section>
  )
}

export function Rows({ children }: { children: ReactNode }) {
  return <div className="divide-y divide-line px-5 sm:px-6">{children}</div>
}
