'use client'

import './globals.css'
import { type ComponentProps, useState } from 'react'
import { ButtonLink } from '@/components/ui/button'
import { Brand, BrandedCard } from '@/components/ui/page/brand'

/**
 * The page after a failure of the root layout. The browser renders it, or the build, which gives it no nonce. So nothing on it
 * needs a script, nor another request, which may be the one that failed.
 */
export default function GlobalError() {
  const [brand] = useState(readBrand)
  return (
    <html lang="en">
      <body className="min-h-dvh bg-paper font-sans text-body text-ink">
        <title>{brand ? `Something went wrong · ${brand.site.appName}` : 'Something went wrong'}</title>
        <BrandedCard brand={brand && <Brand {...brand} />} className="pb-7 text-center sm:pb-9">
          <h1 className="text-display font-semibold">Something went wrong</h1>
          <p className="mt-2 mb-7 text-lead text-balance text-muted">
            This is a problem on our end. Try again in a moment.
          </p>
          <ButtonLink href="/" look="primary">
            Go to the home page
          </ButtonLink>
        </BrandedCard>
      </body>
    </html>
  )
}

/** Reads the brand from the failed page's head, before this page replaces it; null when prerendered, which serves any brand. */
function readBrand(): ComponentProps<typeof Brand> | null {
  if (typeof document === 'undefined') return null
  const appName = document.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content
  const [light, dark = null] = [...document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')].map(
    ({ href }) => href,
  )
  if (appName === undefined || light === undefined) return null
  const isMark = light.startsWith('data:') || light === new URL('/icon.svg', location.href).href
  const site = { appName, logo: isMark ? null : { light, dark }, homeUrl: null }
  // biome-ignore lint/performance/noImgElement: the tab shows it already, and next/image would be in every page's script.
  return { site, mark: <img src={light} alt="" className="size-7" /> }
}
