import type { Words } from '@/lib/messages/en'

export function AboutPasskeys({ words }: { words: Words['signUp'] }) {
  return (
    <details className="group text-small">
      <summary className="flex min-h-11 cursor-pointer items-center rounded-control font-medium text-accent hover:text-accent-strong">
        {words.whatIsPasskey}
      </summary>
      <p className="pb-2 text-muted">{words.aboutPasskeys}</p>
    </details>
  )
}
