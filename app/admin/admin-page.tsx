import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache, type ReactNode } from 'react'
import { loadPage, type PageProps } from '@/app/load-page'
import { AccountShell } from '@/components/account/account-shell'
import { Navigation, Unlock } from '@/components/admin/frame'
import type { PostBody } from '@/lib/api/endpoints'
import { administrators } from '@/lib/api/names'
import type { Account } from '@/lib/api/schemas'
import type { Site } from '@/lib/api/site'
import { Administration, type ReadPath } from '@/lib/http/pages/administration'
import type { SignedIn } from '@/lib/http/pages/load'
import type { Namespace, Words } from '@/lib/messages/en'
import type { PageLanguage } from '@/lib/messages/page-words'

/** What `params` of the page's folder and the query say. */
export interface AdminPageProps extends PageProps {
  params: Promise<Record<string, string>>
}

export interface AdminPage {
  language: PageLanguage
  site: Site
  /** The administrator's own account */
  account: Account
  /** Loads what the profile shows of the administrator's own account */
  signedIn: SignedIn
  administration: Administration
}

const findAdministration = cache(async () => Administration.find((await loadPage()).headers))

/** What a page and its title share; undefined where the page is not shown. */
export async function loadIfOpen<P extends ReadPath>(path: P, body: PostBody<`/api/admin${P}`>) {
  const administration = (await findAdministration())?.administration
  return administration instanceof Administration ? administration.load(path, body) : undefined
}

/** The title of the page about one thing: its name, or that of the list while its page is not shown. @param shown what `loadIfOpen` gave */
export async function titleOfOne<T>(
  shown: T | null | undefined,
  nameOf: (shown: T) => string,
  list: 'accounts' | 'apps' | 'apis',
): Promise<Metadata> {
  const { admin, site } = (await loadPage()).language.words
  if (shown === undefined) return { title: admin[list] }
  return { title: shown === null ? site.notFound : nameOf(shown) }
}

/** The usernames of the administrators by id, as many as one page of the list has. */
export async function loadAdministrators(administration: Administration): Promise<Record<string, string>> {
  const list = await administration.load('/accounts', { group: administrators, limit: 200 })
  return Object.fromEntries((list?.accounts ?? []).map(({ id, username }) => [id, username]))
}

/**
 * The component of an operators' page. It renders for administrators only; if their session does not administer yet, it asks for
 * the passkey in the page's place.
 *
 * @param current the path of the page, or of the list that leads to it
 * @param namespaces the parts of the catalogue that its components need, beside those of all operators' pages
 */
export const adminPage = (
  current: string,
  namespaces: readonly Namespace[],
  render: (page: AdminPage, props: AdminPageProps) => Promise<ReactNode>,
) =>
  async function AdminPage(props: AdminPageProps) {
    const { language, site } = await loadPage()
    const found = await findAdministration()
    // proxy.ts and lib/http/server/pages.ts hide the page before: this is for whoever stops being one in between.
    if (!found) notFound()
    const { administration, signedIn } = found
    const { account } = signedIn
    const { admin } = language.words
    return (
      <AccountShell
        language={language}
        query={await props.searchParams}
        site={site}
        account={account}
        namespaces={['admin', ...namespaces]}
        navigation={<Navigation label={admin.title} links={linksTo(admin)} current={current} />}
      >
        {administration === 'locked' ? (
          <Unlock />
        ) : (
          await render({ language, site, account, signedIn, administration }, props)
        )}
      </AccountShell>
    )
  }

const linksTo = (admin: Words['admin']) =>
  [
    ['/admin/accounts', admin.accounts],
    ['/admin/invitations', admin.invitations],
    ['/admin/groups', admin.groups],
    ['/admin/apps', admin.apps],
    ['/admin/apis', admin.apis],
    ['/admin/keys', admin.keys],
    ['/admin/deliveries', admin.deliveries],
    ['/admin/log', admin.log],
  ] as const
