import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { type AdminPageProps, adminPage } from '@/app/admin/admin-page'
import { firstOf } from '@/app/load-page'
import { GroupPage } from '@/components/admin/groups'

export async function generateMetadata({ params }: AdminPageProps): Promise<Metadata> {
  return { title: nameOf(await params) }
}

export default adminPage(
  '/admin/groups',
  ['adminGroups'],
  async ({ language, account, administration }, { params, searchParams }) => {
    const name = nameOf(await params)
    const after = firstOf((await searchParams).after)
    const [groups, members, apps] = await Promise.all([
      administration.load('/groups', {}),
      administration.load('/accounts', { group: name, ...(after && { after }) }),
      administration.load('/apps', {}),
    ])
    const group = groups?.groups.find((one) => one.name === name)
    if (!group) notFound()
    return (
      <GroupPage
        group={group}
        members={members?.accounts ?? []}
        after={members?.after ?? null}
        isFirst={!after}
        apps={(apps?.apps ?? []).filter((app) => app.groups.includes(name))}
        ownId={account.id}
        language={language}
      />
    )
  },
)

/** Next leaves what stands in a path percent-encoded; no name of a group takes that. */
const nameOf = ({ name = '' }: Record<string, string>) => name
