import type { ReactNode } from 'react'
import { AlertIcon, CheckIcon, InfoIcon } from '@/components/ui/form-icons'

const tones = {
  info: { box: 'border-line bg-sunken', icon: 'text-muted', Icon: InfoIcon },
  success: { box: 'border-transparent bg-accent-wash', icon: 'text-accent', Icon: CheckIcon },
  danger: { box: 'border-danger-line bg-danger-wash', icon: 'text-danger', Icon: AlertIcon },
}

interface NoticeProps {
  tone?: keyof typeof tones
  className?: string
  children: ReactNode
}

export function Notice({ tone = 'info', className = '', children }: NoticeProps) {
  const { box, icon, Icon } = tones[tone]
  return (
    <div data-tone={tone} className={`flex gap-3 rounded-control border px-3.5 py-3 text-small ${box} ${className}`}>
      <span className={icon}>
        <Icon />
      </span>
      <div className="min-w-0 break-words">{children}</div>
    </div>
  )
}
