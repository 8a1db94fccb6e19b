import type { ReactNode } from 'react'
import { Mark } from '@/components/ui/icons/mark'
import { Brand } from '@/components/ui/page/brand'
import { BrandedCard } from '@/components/ui/page/branded-card'
import { PageFooter, type PageFooterProps } from '@/components/ui/page/page-footer'

/** The brand above one card, and the foot of the page. `aside` stands below the card. */
export function CardFrame({
  children,
  aside,
  ...footer
}: PageFooterProps & { children: ReactNode; aside?: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <BrandedCard
        brand={<Brand site={footer.site} mark={<Mark appName={footer.site.appName} />} />}
        aside={aside}
        className="pb-6 sm:pb-8"
      >
        {children}
      </BrandedCard>
      <PageFooter {...footer} />
    </div>
  )
}
