import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { type AdminPageProps, adminPage, loadIfOpen } from '@/app/admin/admin-page'
import { AccountPage } from '@/components/admin/accounts/account-page'

const showAccount = cache((id: string) => loadIfOpen('/accounts/show', { id }))

export async function generateMetadata({ params }: AdminPageProps): Promise<Metadata> {
  const { id = '' } = await params
  return { title: (await showAccount(id))?.username }
}

export default adminPage(
  '/admin/accounts',
  ['adminAccounts', 'activity', 'handOver', 'passkeys', 'sessions'],
  async ({ language, site, account, administration }, { params }) => {
    const { id = '' } = await params
    const [shown, groups] = await Promise.all([showAccount(id), administration.load('/groups', {})])
    if (!shown) notFound()
    return (
      <AccountPage
        shown={shown}
        groups={(groups?.groups ?? []).map(({ name }) => name)}
        isOwn={shown.id === account.id}
        host={new URL(site.origins[0] ?? '').host}
        language={language}
      />
    )
  },
)
