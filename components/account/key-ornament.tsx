/** The depth of each cut of a key: 0 to 3. */
type KeyCuts = readonly number[]

/** Distances in whole pixels, so that edges are sharp: from cut to cut, and from depth to depth. */
const pitch = 10
const step = 4

/**
 * The upper edge of a blade from left to right as SVG path commands: a flat for each cut, joined by slopes of 45 degrees
 * whose middles lie between two cuts.
 */
function edge(cuts: KeyCuts, left: number, top: number): string {
  const y = cuts.map((depth) => top + depth * step)
  const slopes = y.slice(1).map((to, index) => {
    const from = y[index] ?? to
    const middle = left + (index + 1) * pitch
    const half = Math.abs(to - from) / 2
    return half === 0 ? '' : `H${middle - half}L${middle + half} ${to}`
  })
  return `V${y[0]}${slopes.join('')}H${left + cuts.length * pitch}`
}

/** A key lying down, its bow at the left. In languages from right to left it points the other way. */
function Key({ cuts }: { cuts: KeyCuts }) {
  const tip = 36 + cuts.length * pitch
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${tip + 8} 32`}
      width={tip + 8}
      height="32"
      className="shrink-0 fill-accent rtl:-scale-x-100 forced-colors:fill-[CanvasText]"
    >
      <path fillRule="evenodd" d="M16 0a16 16 0 1 0 0 32a16 16 0 1 0 0-32M11 11a5 5 0 1 1 0 10a5 5 0 1 1 0-10" />
      {/* With the groove that is milled along a blade. */}
      <path fillRule="evenodd" d={`M30 26${edge(cuts, 36, 6)}L${tip + 8} 18V20L${tip + 2} 26ZM34 22H${tip}V23H34Z`} />
    </svg>
  )
}

/** Draws an account's key, with a caption; not beside an adopter's logo, where it would be a second brand. */
export function KeyOrnament({ cuts, caption, className = '' }: { cuts: KeyCuts; caption: string; className?: string }) {
  return (
    <p className={`flex flex-wrap items-center gap-x-3 gap-y-1.5 text-small text-muted ${className}`}>
      <Key cuts={cuts} />
      {caption}
    </p>
  )
}
