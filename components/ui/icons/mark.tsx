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
