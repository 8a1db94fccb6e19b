import { Notice } from '@/components/ui/notice'
import { noScript } from '@/lib/messages/no-script'

export function NoScript() {
  return (
    <noscript>
      <div className="mb-5">
        <Notice tone="danger">{noScript.text}</Notice>
      </div>
    </noscript>
  )
}
