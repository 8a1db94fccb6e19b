import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { type AdminPageProps, adminPage } from '@/app/admin/admin-page'
import { firstOf } from '@/app/load-page'
import { BackLink } from '@/components/account/home'
import { Place } from '@/components/admin/actions'
import { AddMembers, DeleteGroup, RemoveMember } from '@/components/admin/groups'
import { Pager, Person } from '@/components/admin/lists'
import { Card, Row } from '@/components/ui/card'
import { Callout } from '@/components/ui/feedback/callout'
import { TextLink } from '@/components/ui/text-link'
import { administrators } from '@/lib/api/names'
import { fill } from '@/lib/messages/format/text'

export async function generateMetadata({ params }: AdminPageProps): Promise<Metadata> {
  return { title: nameOf(await params) }
}

export default adminPage(
  '/admin/groups',
  ['adminGroups'],
  async ({ language, account, administration }, { params, searchParams }) => {
    const name = nameOf(await params)
    const after = firstOf((await searchParams).after)
    const [groups, members, registered] = await Promise.all([
      administration.load('/groups', {}),
      administration.load('/accounts', { group: name, ...(after && { after }) }),
      administration.load('/apps', {}),
    ])
    const group = groups?.groups.find((one) => one.name === name)
    if (!group) notFound()
    const people = members?.accounts ?? []
    // Those that only members of this group, or of another, may use.
    const apps = (registered?.apps ?? []).filter((app) => app.groups.includes(name))
    const { locale, words } = language
    const { admin, adminGroups } = words
    const isOfAdministrators = name === administrators
    return (
      <>
        <BackLink href="/admin/groups">{admin.groups}</BackLink>
        <h1 className="text-display font-semibold wrap-anywhere">
          <bdi translate="no">{name}</bdi>
        </h1>
        <p className="mt-1 text-muted">{fill(locale, adminGroups.members, { count: group.members })}</p>
        {isOfAdministrators && <Callout className="mt-5 max-w-prose">{adminGroups.aboutAdmins}</Callout>}
        <div className="mt-7 grid grid-cols-1 items-start gap-5 lg:grid-cols-[3fr_2fr]">
          <Card title={adminGroups.membersTitle} titleId="members">
            <Place id="member-list">
              {people.length === 0 && <p className="px-card py-3.5 text-muted">{adminGroups.noMembers}</p>}
              <ul className="divide-y divide-line px-card">
                {people.map(({ id, username, displayName }) => (
                  <li key={id} className="py-2">
                    <Row controls={<RemoveMember group={name} id={id} username={username} isOwn={id === account.id} />}>
                      <Person username={username} displayName={displayName} href={`/admin/accounts/${id}`} />
                    </Row>
                  </li>
                ))}
              </ul>
              <div className="px-card not-empty:pb-4">
                <Pager
                  language={language}
                  path={`/admin/groups/${name}`}
                  query={{}}
                  after={members?.after ?? null}
                  isFirst={!after}
                />
              </div>
            </Place>
          </Card>
          <div className="min-w-0 space-y-5">
            <AddMembers group={name} memberIds={people.map(({ id }) => id)} />
            <Card title={admin.apps} titleId="apps">
              <div className="px-card py-4">
                {apps.length === 0 ? (
                  <p className="text-muted">{adminGroups.noApps}</p>
                ) : (
                  <>
                    <p className="text-muted">{adminGroups.appsText}</p>
                    <ul className="mt-2">
                      {apps.map((app) => (
                        <li key={app.id}>
                          <TextLink href={`/admin/apps/${encodeURIComponent(app.id)}`}>{app.name}</TextLink>
                        </li>
                      ))}
                    </ul>
                  </>
                )}
              </div>
            </Card>
            {!isOfAdministrators && <DeleteGroup group={name} apps={apps.map((app) => app.name)} />}
          </div>
        </div>
      </>
    )
  },
)

/** Next leaves what stands in a path percent-encoded; no name of a group takes that. */
const nameOf = ({ name = '' }: Record<string, string>) => name
