import type { Metadata } from 'next'
import { ButtonLink } from '@/components/ui/button'
import { PlainShell } from '@/components/ui/plain-shell'

export const metadata: Metadata = { title: 'Page not found' }

export default function NotFound() {
  return (
    <PlainShell title="Page not found">
      <p className="mt-2 mb-7 text-lead text-muted">Check the address, or go back to the home page.</p>
      <ButtonLink href="/">Go to the home page</ButtonLink>
    </PlainShell>
  )
}
