import type { Metadata } from 'next'
import { ButtonLink } from '@/components/ui/button'
import { PlainShell } from '@/components/ui/page-shell'

export const metadata: Metadata = { title: 'Page not found' }

export default function NotFound() {
  return (
    <PlainShell title="There is no page here">
      <p className="mt-2 mb-7 text-lead text-muted">The address may be mistyped, or the page has moved.</p>
      <ButtonLink href="/">Go to the start</ButtonLink>
    </PlainShell>
  )
}
