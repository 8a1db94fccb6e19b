import { markOf } from '@/lib/mark'

export function Mark({ appName }: { appName: string }) {
  const { stroke, fill } = markOf(appName)
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-7 shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      {stroke ? (
        <path
          d={stroke}
          fill="none"
          strokeWidth="2.75"
          strokeLinecap="round"
          strokeLinejoin="round"
          className="stroke-on-accent"
        />
      ) : (
        <path d={fill} className="fill-on-accent" />
      )}
    </svg>
  )
}

/** The keyhole as an address of its own, for the tab of a site with another name; null for ours, which has files. */
export function markAddress(appName: string, colours: { accent: string; onAccent: string } | null): string | null {
  const { fill } = markOf(appName)
  if (!fill) return null
  const { accent, onAccent } = colours ?? { accent: '#0c5a4d', onAccent: '#f8fffb' }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${accent}"/><path d="${fill}" fill="${onAccent}"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
