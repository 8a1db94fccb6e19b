'use client'

import { useEffect, useRef } from 'react'
import { useAccountContext } from '@/components/account/account-provider'
import { ActionMessages } from '@/components/account/action'
import { PasskeyButton, usePasskeySupport } from '@/components/auth/passkey-button'
import { ButtonLink } from '@/components/ui/button'
import { Callout } from '@/components/ui/feedback/callout'
import { useAction } from '@/components/ui/feedback/page-feedback'
import { useWords } from '@/components/ui/words/words'
import { reauthenticateWithPasskey } from '@/lib/browser/sign-in/reauthentication'

interface NavigationProps {
  label: string
  links: readonly (readonly [href: string, name: string])[]
  /** The path of the page */
  current: string
}

/** The links between the operators' pages, in one row, which scrolls where it has no room. */
export function Navigation({ label, links, current }: NavigationProps) {
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

/** Asks an administrator for the passkey, in place of a page that this session does not open yet. */
export function Unlock() {
  const words = useWords('admin')
  const { usePasskey, addPasskey } = useWords('account')
  const { account, site } = useAccountContext()
  const scope = useRef<HTMLDivElement>(null)
  const action = useAction(scope)
  const unsupportedReason = usePasskeySupport(site)
  const hasPasskeys = account.passkeys.length > 0
  const unlock = () =>
    action.run('passkey', reauthenticateWithPasskey, () => {
      // The same address: the server now answers with the page.
      window.location.reload()
    })
  return (
    <div ref={scope} className="mx-auto max-w-md">
      <h1 className="text-display font-semibold">{words.locked}</h1>
      <p className="mt-2 mb-6 text-lead text-muted">{hasPasskeys ? words.lockedText : words.lockedWithout}</p>
      <ActionMessages action={action} />
      {hasPasskeys && unsupportedReason && <Callout className="mb-5">{unsupportedReason}</Callout>}
      <div className="grid">
        {hasPasskeys ? (
          <PasskeyButton pending={action.pending === 'passkey'} disabled={action.busy} onClick={unlock}>
            {usePasskey}
          </PasskeyButton>
        ) : (
          <ButtonLink href="/passkeys" look="primary">
            {addPasskey}
          </ButtonLink>
        )}
      </div>
    </div>
  )
}
