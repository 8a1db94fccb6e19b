import type { ReactNode } from 'react'
import { AlertIcon, CheckIcon, InfoIcon } from '@/components/ui/icons/form-icons'

const icons = { info: InfoIcon, success: CheckIcon, danger: AlertIcon }

interface CalloutProps {
  tone?: keyof typeof icons
  className?: string
  children: ReactNode
}

/** Its looks are in app/globals.css, as those of buttons are. */
export function Callout({ tone = 'info', className = '', children }: CalloutProps) {
  const Icon = icons[tone]
  return (
    <div data-tone={tone} className={`callout ${className}`}>
      <Icon />
      <div>{children}</div>
    </div>
  )
}
