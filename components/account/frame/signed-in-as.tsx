'use client'

import { useSessionEnd } from '@/components/account/frame/use-session-end'
import { TextLink } from '@/components/ui/text-link'

interface Props {
  text: string
  links: { href: string; name: string }[]
}

/** Names the account that the page acts for, with the links that change it. */
export function SignedInAs({ text, links }: Props) {
  if (useSessionEnd()) return null
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-5 text-center text-muted">
      <p className="max-w-full">{text}</p>
      <p className="flex flex-wrap justify-center gap-x-5">
        {links.map(({ href, name }) => (
          <TextLink key={href} href={href}>
            {name}
          </TextLink>
        ))}
      </p>
    </div>
  )
}
