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

/** Distances on the drawing: from cut to cut, and from depth to depth. */
const pitch = 8
const step = 4
const shoulder = 36

/** Bows that are told apart at a glance, each with its hole. All reach from 0 to 32 and meet the blade at the right. */
const bows = [
  'M16 0a16 16 0 1 0 0 32a16 16 0 1 0 0-32M10 11a5 5 0 1 1 0 10a5 5 0 1 1 0-10',
  'M9 1H23a8 8 0 0 1 8 8V23a8 8 0 0 1-8 8H9a8 8 0 0 1-8-8V9a8 8 0 0 1 8-8M10 11a5 5 0 1 1 0 10a5 5 0 1 1 0-10',
  'M10.5 0H21.5L32 10.5V21.5L21.5 32H10.5L0 21.5V10.5ZM6 12V20H14V12Z',
  'M16 0a16 16 0 1 0 0 32a16 16 0 1 0 0-32M14 7a9 9 0 1 1 0 18a9 9 0 1 1 0-18',
]

/** The upper edge of a blade from left to right as SVG path commands: a flat for each cut, joined by steep slopes. */
function edge(depths: number[]): string {
  const y = depths.map((depth) => 6 + depth * step)
  const slopes = y.slice(1).map((to, index) => {
    const from = y[index] ?? to
    const middle = shoulder + (index + 1) * pitch
    const half = Math.abs(to - from) / 4
    return half === 0 ? '' : `H${middle - half}L${middle + half} ${to}`
  })
  return `V${y[0]}${slopes.join('')}H${shoulder + depths.length * pitch}`
}

interface Props {
  /** What `cutsOf()` says */
  cuts: string
  /** True for a stranger's: drawn as a line */
  isForeign?: boolean
  /** Its height and colour */
  className?: string
}

/**
 * The key of an account or a passkey, which stands for it as a face would: lying down, its bow at the left, and in languages
 * from right to left the other way round. Hidden from screen readers, which get the name beside it.
 */
export function Key({ cuts, isForeign = false, className = 'h-4 text-accent' }: Props) {
  const depths = Array.from(cuts, Number)
  const tip = shoulder + depths.length * pitch
  const bow = bows[depths.reduce((sum, depth) => sum + depth, 0) % bows.length]
  return (
    <svg
      aria-hidden="true"
      viewBox={`-1 -1 ${tip + 10} 34`}
      fillRule="evenodd"
      className={`w-auto shrink-0 rtl:-scale-x-100 ${isForeign ? 'fill-none stroke-current stroke-2' : 'fill-current'} ${className}`}
    >
      <path d={bow} />
      {/* With the groove that is milled along a blade. */}
      <path d={`M${isForeign ? 32 : 29} 26${edge(depths)}L${tip + 8} 18V20L${tip + 2} 26ZM34 22H${tip}V23H34Z`} />
    </svg>
  )
}
