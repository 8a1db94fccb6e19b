'use client'

import type { ComponentProps } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { withFragment } from '@/components/ui/navigation'
import { useClientValue } from '@/components/ui/use-client-value'

/** The way on after signing in, with the fragment that the person came with. */
export function ContinueLink({ href, look, children }: ComponentProps<typeof ButtonLink> & { href: string }) {
  const fragment = useClientValue(
    () => window.location.hash,
    () => '',
  )
  return (
    <ButtonLink href={withFragment(href, fragment)} {...(look && { look })}>
      {children}
    </ButtonLink>
  )
}
