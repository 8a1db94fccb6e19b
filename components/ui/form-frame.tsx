import type { ReactNode } from 'react'
import { Brand } from '@/components/ui/brand'
import { PageFooter, type PageFooterProps } from '@/components/ui/page-footer'

/** The brand above one card, and the foot of the page. `aside` stands below the card. */
export function FormFrame({
  children,
  aside,
  ...footer
}: PageFooterProps & { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="mx-auto flex w-full max-w-[28rem] justify-center px-page pt-5 sm:pt-[max(1.5rem,7vh)]">
        <Brand site={footer.site} />
      </header>
      <main className="mx-auto w-full max-w-[28rem] px-page pt-6 pb-12">
        <div className="rounded-card border border-line bg-surface px-card pt-8 pb-6 shadow-raised sm:px-8 sm:pt-9 sm:pb-8">
          {children}
        </div>
        {aside && (
          <div className="mt-4 flex flex-col items-center px-card text-center break-words *:max-w-full sm:px-8">
            {aside}
          </div>
        )}
      </main>
      <PageFooter {...footer} />
    </div>
  )
}
