/** A key that spells L, for Latchkey alone, and a keyhole for every other name. */
const key = 'M13 5.75a4.25 4.25 0 1 0 0 8.5a4.25 4.25 0 1 0 0-8.5M13 14.25V25.5h8.25M13 19.75h5'
const keyhole = 'M16 6.5a5.5 5.5 0 0 0-2.5 10.4L11.75 25.5h8.5L18.5 16.9A5.5 5.5 0 0 0 16 6.5Z'

const isOurs = (appName: string) => appName === 'Latchkey'

export function Mark({ appName, className = 'size-8' }: { appName: string; className?: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className={`shrink-0 ${className}`}>
      <rect width="32" height="32" rx="8" className="fill-accent" />
      {isOurs(appName) ? (
        <path
          d={key}
          fill="none"
          strokeWidth="2.75"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-on-accent"
        />
      ) : (
        <path d={keyhole} className="fill-on-accent" />
      )}
    </svg>
  )
}

/** The keyhole as an address of its own, for the tab of a site with another name; null for ours, which has files. */
export function markAddress(appName: string, colours: { accent: string; onAccent: string } | null): string | null {
  if (isOurs(appName)) return null
  const { accent, onAccent } = colours ?? { accent: '#0c5a4d', onAccent: '#f8fffb' }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}"/><path d="${keyhole}" fill="${onAccent}"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
