import type { ReactNode } from 'react'

interface PlainShellProps {
  title: string
  brand: ReactNode
  children: ReactNode
}

/** The frame of a form's page, without what only a layout knows. */
export const PlainShell = ({ title, brand, children }: PlainShellProps) => (
  <>
    <header className="mx-auto flex w-full max-w-[28rem] justify-center px-page pt-5 sm:pt-[max(1.5rem,7vh)]">
      {brand}
    </header>
    <main className="mx-auto w-full max-w-[28rem] px-page pt-6 pb-12">
      <div className="rounded-card border border-line bg-surface px-card pt-8 pb-7 text-center shadow-raised sm:px-8 sm:py-9">
        <h1 className="text-display font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  </>
)
