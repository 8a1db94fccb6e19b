import type { ReactNode } from 'react'
import { PasskeyIcon } from '@/components/ui/icons/form-icons'
import { DeviceIcon, SheetIcon } from '@/components/ui/icons/icons'
import type { Words } from '@/lib/messages/en'

/** What this is, for visitors. */
export function About({ words }: { words: Words['home'] }) {
  return (
    <ul className="mt-7 space-y-3 border-t border-line pt-6 text-small text-muted">
      <Line icon={<PasskeyIcon />} text={words.passkeys} />
      <Line icon={<DeviceIcon />} text={words.sessions} />
      <Line icon={<SheetIcon />} text={words.codes} />
    </ul>
  )
}

function Line({ icon, text }: { icon: ReactNode; text: string }) {
  return (
    <li className="flex flex-wrap gap-x-3">
      <span className="mt-0.5 text-accent">{icon}</span>
      <p className="min-w-0 grow basis-36">{text}</p>
    </li>
  )
}
