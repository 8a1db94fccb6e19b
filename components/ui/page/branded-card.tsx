import type { ReactNode } from 'react'

interface BrandedCardProps {
  brand: ReactNode
  children: ReactNode
  /** Stands below the card */
  aside?: ReactNode
  /** The card's, with the padding at its foot */
  className: string
}

/** The brand above one card. It needs nothing of the layout, which global-error.tsx replaces. */
export const BrandedCard = ({ brand, children, aside, className }: BrandedCardProps) => (
  <>
    <header className="mx-auto flex w-full max-w-[28rem] justify-center px-page pt-5 sm:pt-[max(1.5rem,7vh)]">
      {brand}
    </header>
    <main className="mx-auto w-full max-w-[28rem] px-page pt-6 pb-12">
      <div
        className={`rounded-card border border-line bg-surface px-card pt-8 shadow-raised sm:px-8 sm:pt-9 ${className}`}
      >
        {children}
      </div>
      {aside && (
        <div className="mt-4 flex flex-col items-center px-card text-center break-words *:max-w-full sm:px-8">
          {aside}
        </div>
      )}
    </main>
  </>
)
