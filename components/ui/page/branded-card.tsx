import type { ReactNode } from 'react'

interface BrandedCardProps {
  brand: ReactNode
  /** The key that the band shows in part */
  bandKey?: ReactNode
  children: ReactNode
  /** Stands below the card */
  aside?: ReactNode
  /** The card's, with the padding at its foot */
  className: string
}

/** The brand on a band above one card. It needs nothing of the layout, which global-error.tsx replaces. */
export const BrandedCard = ({ brand, bandKey, children, aside, className }: BrandedCardProps) => (
  <>
    <div className="band">{bandKey}</div>
    <header className="on-band mx-auto flex w-full max-w-card px-page pt-4">
      <div className="-ms-2 flex min-w-0">{brand}</div>
    </header>
    <main className="relative mx-auto w-full max-w-card px-page pt-5 pb-4 sm:pt-4">
      <div className={`rounded-card border border-line bg-surface px-card pt-7 shadow-raised sm:px-8 ${className}`}>
        {children}
      </div>
      {aside && (
        <div className="mt-2 flex flex-col items-center px-card text-center break-words *:max-w-full sm:px-8">
          {aside}
        </div>
      )}
    </main>
  </>
)
