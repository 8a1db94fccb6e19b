import { Callout } from '@/components/ui/feedback/callout'

export function NoScript({ text }: { text: string }) {
  return (
    <noscript>
      <Callout tone="danger" className="mb-5">
        {text}
      </Callout>
    </noscript>
  )
}
