import { Notice } from '@/components/ui/feedback/notice'

export function NoScript({ text }: { text: string }) {
  return (
    <noscript>
      <Notice tone="danger" className="mb-5">
        {text}
      </Notice>
    </noscript>
  )
}
