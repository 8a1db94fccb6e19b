import type { ReactNode } from 'react'
import { AccountShell } from '@/components/account/account-shell'
import type { PageFooterProps } from '@/components/ui/page/page-footer'
import type { Account } from '@/lib/api/schemas'
import type { Site } from '@/lib/api/site'
import type { Namespace } from '@/lib/messages/en'
import type { PageLanguage } from '@/lib/messages/page-words'

interface Props {
  language: PageLanguage
  /** The parts of the catalogue that the components inside need, beside those of all operators' pages */
  namespaces: readonly Namespace[]
  query: PageFooterProps['query']
  site: Site
  account: Account
  /** The page's path. */
  current: string
  children: ReactNode
}

/** The frame of an operators' page. */
export function AdminShell({ namespaces, ...shell }: Props) {
  const { admin } = shell.language.words
  const links = [
    ['/admin/accounts', admin.accounts],
    ['/admin/invitations', admin.invitations],
    ['/admin/groups', admin.groups],
    ['/admin/apps', admin.apps],
    ['/admin/apis', admin.apis],
    ['/admin/keys', admin.keys],
    ['/admin/deliveries', admin.deliveries],
    ['/admin/log', admin.log],
  ] as const
  return <AccountShell {...shell} namespaces={['admin', ...namespaces]} frame={{ navigation: admin.title, links }} />
}
