import { Notice } from '@/components/ui/notice'

export function NoScript({ text }: { text: string }) {
  return (
    <noscript>
      <div className="mb-5">
        <Notice tone="danger">{text}</Notice>
      </div>
    </noscript>
  )
}
