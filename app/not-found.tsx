import type { Metadata } from 'next'
import { loadPage } from '@/app/load-page'
import { ButtonLink } from '@/components/ui/button'
import { DoorKey } from '@/components/ui/key'
import { PlainShell } from '@/components/ui/plain-shell'

const siteWords = async () => (await loadPage()).language.words.site

export const generateMetadata = async (): Promise<Metadata> => ({ title: (await siteWords()).notFound })

export default async function NotFound() {
  const { notFound, checkAddress, home } = await siteWords()
  return (
    <PlainShell title={notFound}>
      <DoorKey />
      <p className="mt-2 mb-7 text-lead text-balance text-muted">{checkAddress}</p>
      <ButtonLink href="/">{home}</ButtonLink>
    </PlainShell>
  )
}
