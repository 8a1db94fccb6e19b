import { Notice } from '@/components/ui/notice'

export function NoScript() {
  return (
    <noscript>
      <div className="mb-5">
        <Notice tone="danger">Signing in requires JavaScript. Enable it for this site and reload the page.</Notice>
      </div>
    </noscript>
  )
}
