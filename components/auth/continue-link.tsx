'use client'

import type { ComponentProps } from 'react'
import { withFragment } from '@/components/auth/navigate-after-sign-in'
import { ButtonLink } from '@/components/ui/button'
import { useClientValue } from '@/components/ui/use-client-value'

interface Props extends Pick<ComponentProps<typeof ButtonLink>, 'look' | 'children'> {
  href: string
}

/** The way on after signing in, with the fragment that the person came with. */
export function ContinueLink({ href, ...link }: Props) {
  const fragment = useClientValue(
    () => window.location.hash,
    () => '',
  )
  return <ButtonLink {...link} href={withFragment(href, fragment)} />
}
