import type { ReactNode } from 'react'

export function PlainShell({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-[28rem] flex-col justify-center px-page py-16">
      <div className="rounded-card border border-line bg-surface px-card pt-8 pb-7 text-center shadow-raised sm:px-8 sm:py-9">
        <h1 className="text-display font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  )
}
