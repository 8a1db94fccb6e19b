import type { ReactNode } from 'react'
import { Brand, Cuts } from '@/components/ui/brand'

/** The frame of a page for visitors: one narrow column with one thing to do. `aside` stands below the card. */
export function VisitorShell({ appName, title, lead, aside, children }: VisitorShellProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto w-full max-w-5xl px-4 pt-3 sm:px-6 sm:pt-5">
        <Brand appName={appName} />
      </header>
      <main className="mx-auto w-full max-w-[28rem] px-4 pt-10 pb-16 sm:px-6 sm:pt-[max(2rem,9vh)]">
        <div className="relative rounded-card border border-line bg-surface px-5 pt-7 pb-7 sm:px-8 sm:pt-9 sm:pb-9">
          <Cuts />
          <h1 className="text-display font-semibold">{title}</h1>
          {lead && <p className="mt-1.5 text-muted">{lead}</p>}
          <div className="mt-6">{children}</div>
        </div>
        <div className="mt-4 px-5 sm:px-8">{aside}</div>
      </main>
    </div>
  )
}

interface VisitorShellProps {
  appName: string
  title: string
  lead?: ReactNode
  aside: ReactNode
  children: ReactNode
}

const places = [
  ['/profile', 'Profile'],
  ['/passkeys', 'Passkeys'],
] as const

/** The frame of a page for somebody who is signed in. */
export function MemberShell({ appName, current, children }: { appName: string; current: string; children: ReactNode }) {
  return (
    <div className="min-h-dvh">
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex max-w-2xl items-center justify-between gap-3 px-4 py-2 sm:px-6">
          <Brand appName={appName} />
          <nav aria-label="Account" className="-mr-2 flex">
            {places.map(([href, name]) => (
              <a key={href} href={href} aria-current={href === current ? 'page' : undefined} className={placeLook}>
                {name}
              </a>
            ))}
          </nav>
        </div>
      </header>
      <main className="mx-auto max-w-2xl px-4 pt-8 pb-16 sm:px-6 sm:pt-12">{children}</main>
    </div>
  )
}

const placeLook =
  'inline-flex min-h-11 items-center rounded-control px-2.5 text-small font-medium text-muted transition-colors hover:text-ink aria-[current=page]:text-ink aria-[current=page]:underline aria-[current=page]:decoration-accent aria-[current=page]:decoration-2 aria-[current=page]:underline-offset-[0.5rem]'

/** The frame of a page that has nothing to do but explain itself: not found, or failed. */
export function PlainShell({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-[28rem] flex-col justify-center px-4 py-16 sm:px-6">
      <div className="relative rounded-card border border-line bg-surface px-5 py-7 sm:px-8 sm:py-9">
        <Cuts />
        <h1 className="text-display font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  )
}
