import type { ReactNode } from 'react'
import { Mark } from '@/components/ui/icons/mark'
import { Brand, BrandedCard } from '@/components/ui/page/brand'
import { PageFooter, type PageFooterProps } from '@/components/ui/page/page-footer'

interface Props extends PageFooterProps {
  bandKey?: ReactNode
  /** Stands below the card */
  aside?: ReactNode
  children: ReactNode
}

/** The brand above one card, and the foot of the page. */
export function CardFrame({ children, bandKey, aside, ...footer }: Props) {
  return (
    <div className="flex min-h-dvh flex-col">
      <BrandedCard
        bandKey={bandKey}
        brand={<Brand site={footer.site} mark={<Mark appName={footer.site.appName} />} />}
        aside={aside}
        className="pb-6"
      >
        {children}
      </BrandedCard>
      <PageFooter {...footer} />
    </div>
  )
}
