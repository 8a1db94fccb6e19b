export function Mark({ className = 'size-8' }: { className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={`shrink-0 ${className}`}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <g fill="none" strokeWidth="2.75" strokeLinecap="round" strokeLinejoin="round" className="stroke-on-accent">
        <circle cx="13" cy="10" r="4.25" />
        <path d="M13 14.25V25.5h8.25M13 19.75h5" />
      </g>
    </svg>
  )
}

/** Logo and name, linking home. A plain link, so that nothing of an ended session stays in memory. */
export function Brand({ appName }: { appName: string }) {
  return (
    <a href="/" className="-ms-2 flex min-h-11 min-w-0 items-center gap-2.5 rounded-control px-2">
      <Mark className="size-7" />
      <span className="truncate font-semibold tracking-[-0.015em]">{appName}</span>
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
