'use client'

import { type ComponentProps, useSyncExternalStore } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { withFragment } from '@/components/ui/navigation'

/** What stands behind the `#` of the URL, which no server and no proxy sees; undefined on the server. */
export const useFragment = (): string | undefined => useSyncExternalStore(subscribe, read, () => undefined)

const read = () => window.location.hash.slice(1)

function subscribe(changed: () => void) {
  window.addEventListener('hashchange', changed)
  return () => window.removeEventListener('hashchange', changed)
}

interface Props extends Pick<ComponentProps<typeof ButtonLink>, 'look' | 'children'> {
  href: string
}

/** The way on after signing in, with the fragment that the person came with. */
export function ContinueLink({ href, ...link }: Props) {
  const fragment = useFragment()
  return <ButtonLink {...link} href={withFragment(href, fragment ? `#${fragment}` : '')} />
}
