import type { ReactNode } from 'react'
import type { Site } from '@/lib/api/site'

interface BrandProps {
  site: Pick<Site, 'appName' | 'logo' | 'homeUrl'>
  /** Stands beside the name of a site without a logo */
  mark: ReactNode
}

/**
 * The adopter's logo, or a mark and the name, linking to the adopter's app or home. A plain link, so that nothing of an
 * ended session stays in memory.
 */
export function Brand({ site: { appName, logo, homeUrl }, mark }: BrandProps) {
  return (
    <a href={homeUrl ?? '/'} className="flex min-h-11 min-w-0 items-center gap-2.5 rounded-control px-2">
      {logo ? (
        <picture className="min-w-0">
          {logo.dark && <source srcSet={logo.dark} media="(prefers-color-scheme: dark)" />}
          <img
            src={logo.light}
            alt={appName}
            // Gives the logo of the light theme a light ground in the dark one, since it may have dark letters.
            className={`h-8 w-auto max-w-[min(12rem,100%)] object-contain object-left ${logo.dark ? '' : 'dark:h-11 dark:rounded-card dark:bg-[#fffffd] dark:px-3.5 dark:py-1.5'}`}
          />
        </picture>
      ) : (
        <>
          {mark}
          <span className="truncate font-semibold tracking-[-0.015em]">{appName}</span>
        </>
      )}
    </a>
  )
}

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
    <header className="on-band card-column flex pt-4">
      <div className="-ms-2 flex min-w-0">{brand}</div>
    </header>
    <main className="card-column pt-5 pb-4 sm:pt-3 sm:pb-2">
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
