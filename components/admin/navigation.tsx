'use client'

import { useEffect, useRef } from 'react'

interface Props {
  label: string
  links: readonly (readonly [href: string, name: string])[]
  /** The path of the page */
  current: string
}

/** The links between the operators' pages, in one row, which scrolls where it has no room. */
export function Navigation({ label, links, current }: Props) {
  const row = useRef<HTMLElement>(null)
  useEffect(() => {
    const link = row.current?.querySelector('[aria-current]')
    if (!row.current || !link) return
    // Not scrollIntoView(), which would scroll the page, too.
    const [outer, inner] = [row.current.getBoundingClientRect(), link.getBoundingClientRect()]
    row.current.scrollBy({ left: (inner.left + inner.right - outer.left - outer.right) / 2, behavior: 'instant' })
  }, [])
  return (
    <nav
      ref={row}
      aria-label={label}
      // On a phone from edge to edge, where the names fade out: far enough in that the last one is seen to be none.
      className="flex lg:-mx-2 lg:flex-wrap max-lg:order-last max-lg:-mx-(--header-inset) max-lg:basis-[calc(100%+2*var(--header-inset))] max-lg:overflow-x-auto max-lg:ps-[calc(var(--header-inset)-0.5rem)] max-lg:pe-14 max-lg:[scrollbar-width:none] max-lg:[--onward:to_right] max-lg:rtl:[--onward:to_left] max-lg:[mask-image:linear-gradient(var(--onward),transparent,#000_var(--header-inset),#000_calc(100%-4rem),transparent)]"
    >
      {links.map(([href, name]) => (
        <a key={href} href={href} aria-current={currentOf(href, current)} className={linkLook}>
          {name}
        </a>
      ))}
    </nav>
  )
}

/** A page below another marks the link to that one, too. */
function currentOf(href: string, current: string): 'page' | 'true' | undefined {
  if (href === current) return 'page'
  return current.startsWith(`${href}/`) ? 'true' : undefined
}

const linkLook =
  'inline-flex min-h-11 shrink-0 items-center rounded-control px-2 text-small font-medium whitespace-nowrap text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-[current]:text-ink aria-[current]:underline aria-[current]:decoration-accent aria-[current]:decoration-2 aria-[current]:underline-offset-[0.5rem]'
