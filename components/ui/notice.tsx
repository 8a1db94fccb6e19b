import type { ReactNode } from 'react'
import { AlertIcon, CheckIcon, InfoIcon } from '@/components/ui/icons'
import type { Remark } from '@/components/ui/use-action'
import type { Failure } from '@/lib/browser/errors'

const tones = {
  info: { box: 'border-line bg-sunken', icon: 'text-muted', Icon: InfoIcon },
  success: { box: 'border-transparent bg-accent-wash', icon: 'text-accent', Icon: CheckIcon },
  danger: { box: 'border-danger-line bg-danger-wash', icon: 'text-danger', Icon: AlertIcon },
}

/** A boxed remark: something is so, has worked, or went wrong. */
export function Notice({ tone = 'info', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  const { box, icon, Icon } = tones[tone]
  return (
    <div className={`flex gap-3 rounded-control border px-3.5 py-3 text-small ${box}`}>
      <span className={icon}>
        <Icon />
      </span>
      <div className="min-w-0 break-words">{children}</div>
    </div>
  )
}

/** The live regions of a form. They are always there, because screen readers announce a change only in a region that they know already. */
export function Outcomes({ failure, remark }: { failure: Failure | null; remark: Remark | null }) {
  return (
    <>
      <div role="alert" className="not-empty:mb-5">
        {failure?.title && (
          <Notice tone="danger">
            <p className="font-semibold text-danger">{failure.title}</p>
            <p>{failure.detail}</p>
          </Notice>
        )}
      </div>
      <div role="status" className="not-empty:mb-5">
        {remark && <Notice tone={remark.tone}>{remark.text}</Notice>}
      </div>
    </>
  )
}
