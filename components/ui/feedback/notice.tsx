import type { ReactNode } from 'react'
import { AlertIcon, CheckIcon, InfoIcon } from '@/components/ui/icons/form-icons'

const icons = { info: InfoIcon, success: CheckIcon, danger: AlertIcon }

interface NoticeProps {
  tone?: keyof typeof icons
  className?: string
  children: ReactNode
}

/** Its looks are in app/globals.css, as those of buttons are. */
export function Notice({ tone = 'info', className = '', children }: NoticeProps) {
  const Icon = icons[tone]
  return (
    <div data-tone={tone} className={`notice ${className}`}>
      <Icon />
      {/* Below its icon where large text leaves too little room beside it. */}
      <div className="min-w-0 grow basis-36 break-words">{children}</div>
    </div>
  )
}
