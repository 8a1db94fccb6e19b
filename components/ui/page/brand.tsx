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
