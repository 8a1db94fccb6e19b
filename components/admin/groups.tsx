import { AddMembers, DeleteGroup, NewGroup, RemoveMember } from '@/components/admin/group-forms'
import { EmptyList, Pager } from '@/components/admin/lists'
import { Card, Row } from '@/components/ui/card'
import { Callout } from '@/components/ui/feedback/callout'
import { Messages } from '@/components/ui/feedback/page-feedback'
import { TextLink } from '@/components/ui/text-link'
import { administrators } from '@/lib/api/names'
import type { ListedAccount, RegisteredApp } from '@/lib/api/schemas'
import { fill, listed } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

interface ListProps {
  groups: { name: string; members: number }[]
  apps: RegisteredApp[]
  language: PageLanguage
}

export function GroupList({ groups, apps, language }: ListProps) {
  const { admin, adminGroups: words } = language.words
  const own = groups.filter(({ name }) => name !== administrators)
  const admins = groups.find(({ name }) => name === administrators) ?? { name: administrators, members: 0 }
  return (
    <>
      <h1 className="text-display font-semibold">{admin.groups}</h1>
      <p className="mt-2 max-w-prose text-lead text-muted">{words.lead}</p>
      <NewGroup />
      <ul className="mt-6 divide-y divide-line rounded-card border border-line bg-surface shadow-raised">
        <Group {...admins} apps={apps} language={language} text={words.aboutAdmins} />
        {own.map((group) => (
          <Group key={group.name} {...group} apps={apps} language={language} />
        ))}
      </ul>
      {own.length === 0 && <EmptyList title={words.none} text={words.noneText} />}
    </>
  )
}

interface GroupProps {
  name: string
  members: number
  apps: RegisteredApp[]
  language: PageLanguage
  text?: string
}

function Group({ name, members, apps, language, text }: GroupProps) {
  const { locale, words } = language
  const { adminGroups } = words
  const uses = apps.filter(({ groups }) => groups.includes(name)).map((app) => app.name)
  return (
    <li className="relative px-card py-3 first:rounded-t-card last:rounded-b-card hover:bg-sunken">
      <a
        href={`/admin/groups/${name}`}
        className="font-medium break-all outline-none after:absolute after:inset-0 after:rounded-control hover:underline focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
      >
        <bdi translate="no">{name}</bdi>
      </a>
      <p className="text-small text-muted">{fill(locale, adminGroups.members, { count: members })}</p>
      {uses.length > 0 && (
        <p className="text-small break-words text-muted">
          {fill(locale, adminGroups.opens, { apps: listed(locale, uses) })}
        </p>
      )}
      {text && <p className="mt-1 max-w-prose text-small text-muted">{text}</p>}
    </li>
  )
}

interface PageProps {
  group: { name: string; members: number }
  /** A page of them */
  members: ListedAccount[]
  after: string | null
  isFirst: boolean
  /** Those that only members of this group, or of another, may use */
  apps: RegisteredApp[]
  ownId: string
  language: PageLanguage
}

export function GroupPage({
  group: { name, members: count },
  members,
  after,
  isFirst,
  apps,
  ownId,
  language,
}: PageProps) {
  const { locale, words } = language
  const { admin, adminGroups } = words
  const isOfAdministrators = name === administrators
  return (
    <>
      <TextLink href="/admin/groups">{admin.groups}</TextLink>
      <h1 className="mt-1 text-display font-semibold break-all">
        <bdi translate="no">{name}</bdi>
      </h1>
      <p className="mt-1 text-muted">{fill(locale, adminGroups.members, { count })}</p>
      {isOfAdministrators && <Callout className="mt-5 max-w-prose">{adminGroups.aboutAdmins}</Callout>}
      <div className="mt-7 grid grid-cols-1 items-start gap-5 lg:grid-cols-[3fr_2fr]">
        <Card title={adminGroups.membersTitle} titleId="members">
          <div id="member-list" tabIndex={-1} className="outline-none">
            <Messages place="member-list" className="not-empty:px-card not-empty:pt-4" />
            {members.length === 0 && <p className="px-card py-3.5 text-muted">{adminGroups.noMembers}</p>}
            <ul className="divide-y divide-line px-card">
              {members.map(({ id, username, displayName }) => (
                <li key={id} className="py-2">
                  <Row controls={<RemoveMember group={name} id={id} username={username} isOwn={id === ownId} />}>
                    <a href={`/admin/accounts/${id}`} className="font-medium break-all hover:underline">
                      <bdi translate="no">{username}</bdi>
                    </a>
                    {displayName !== null && (
                      <p className="text-small break-words text-muted">
                        <bdi translate="no">{displayName}</bdi>
                      </p>
                    )}
                  </Row>
                </li>
              ))}
            </ul>
            <div className="px-card not-empty:pb-4">
              <Pager language={language} path={`/admin/groups/${name}`} query={{}} after={after} isFirst={isFirst} />
            </div>
          </div>
        </Card>
        <div className="min-w-0 space-y-5">
          <AddMembers group={name} memberIds={members.map(({ id }) => id)} />
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
}
