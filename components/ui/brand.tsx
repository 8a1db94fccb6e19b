import { Mark } from '@/components/ui/mark'

/** What the frame of every page shows of the site. */
export interface Branding {
  appName: string
  logo: { light: string; dark: string | null } | null
  homeUrl: string | null
  termsUrl: string | null
  privacyUrl: string | null
  supportUrl: string | null
}

/**
 * The adopter's logo, or our mark and the name, linking to the adopter's app or home. A plain link, so that nothing of an
 * ended session stays in memory.
 */
export function Brand({ site: { appName, logo, homeUrl } }: { site: Branding }) {
  return (
    <a href={homeUrl ?? '/'} className="flex min-h-11 min-w-0 items-center gap-2.5 rounded-control px-2">
      {logo ? (
        <picture className="min-w-0">
          {logo.dark && <source srcSet={logo.dark} media="(prefers-color-scheme: dark)" />}
          <img
            src={logo.light}
            alt={appName}
            className="h-8 w-auto max-w-[min(12rem,100%)] object-contain object-left"
          />
        </picture>
      ) : (
        <>
          <Mark appName={appName} className="size-7" />
          <span className="truncate font-semibold tracking-[-0.015em]">{appName}</span>
        </>
      )}
    </a>
  )
}

/** The cuts of a key, an ornament on the upper edge of a panel. The panel must be `relative` and have a border. */
export function Cuts() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 152 13"
      className="absolute -top-[15px] end-7 h-[16px] w-[187px] fill-surface stroke-line sm:end-8"
      strokeLinejoin="round"
    >
      <path d="M0 12.5H4L12 4.5H22L27 9.5H39L47 1.5H58L66 9.5H76L80 5.5H94L101 12.5H107L115 4.5H125L130 9.5H140L148 12.5H152V14H0Z" />
    </svg>
  )
}
