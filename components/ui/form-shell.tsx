import type { ReactNode } from 'react'
import { Brand, type Branding, Cuts } from '@/components/ui/brand'
import { SiteLinks } from '@/components/ui/site-links'

interface FormShellProps {
  site: Branding
  title: string
  lead?: ReactNode
  aside: ReactNode
  children: ReactNode
}

export function FormShell({ site, title, lead, aside, children }: FormShellProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto w-full max-w-5xl px-4 pt-3 sm:px-6 sm:pt-5">
        <Brand site={site} />
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
      <SiteLinks site={site} />
    </div>
  )
}
