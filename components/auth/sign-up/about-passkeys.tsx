'use client'

import { PasskeyIcon } from '@/components/ui/icons/form-icons'
import { SheetIcon, SparkIcon } from '@/components/ui/icons/icons'
import { useWords } from '@/components/ui/words/words'

const points = [
  ['next', PasskeyIcon],
  ['remember', SparkIcon],
  ['lost', SheetIcon],
] as const

/** Explains passkeys to people who are new to them. Stands below the passkey button. */
export function AboutPasskeys() {
  const { aboutPasskeys } = useWords('signUp')
  return (
    <ul className="mt-5 space-y-2 not-last:mb-4 text-small text-muted">
      {points.map(([point, Icon]) => (
        <li key={point} className="flex gap-2.5">
          <span className="text-accent">
            <Icon />
          </span>
          {aboutPasskeys[point]}
        </li>
      ))}
    </ul>
  )
}
