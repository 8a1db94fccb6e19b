'use client'

import { useSessionEnd } from '@/components/account/frame/use-session-end'

interface Props {
  /** Not where the page itself says it. */
  text?: string
  links: { href: string; name: string }[]
}

/** Which account the page acts for, and the links that change it. */
export function SignedInAs({ text, links }: Props) {
  if (useSessionEnd()) return null
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-5 text-center text-muted">
      {text && <p className="max-w-full">{text}</p>}
      <p className="flex flex-wrap justify-center gap-x-5">
        {links.map(({ href, name }) => (
          <a
            key={href}
            href={href}
            className="inline-flex min-h-11 items-center font-medium text-accent hover:underline"
          >
            {name}
          </a>
        ))}
      </p>
    </div>
  )
}
