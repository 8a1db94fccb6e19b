import { adminPage } from '@/app/admin/admin-page'
import { titleOf } from '@/app/load-page'
import { NewGroup } from '@/components/admin/groups'
import { Onward } from '@/components/admin/lists'
import { EmptyList } from '@/components/ui/card'
import { administrators } from '@/lib/api/names'
import type { RegisteredApp } from '@/lib/api/schemas'
import { fill, listed } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

export const generateMetadata = titleOf((words) => words.admin.groups)

export default adminPage('/admin/groups', ['adminGroups'], async ({ language, administration }) => {
  const { admin, adminGroups: words } = language.words
  const [found, registered] = await Promise.all([administration.load('/groups', {}), administration.load('/apps', {})])
  const groups = found?.groups ?? []
  const apps = registered?.apps ?? []
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
})

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
    <li className="relative flex items-center gap-3.5 px-card py-3 first:rounded-t-card last:rounded-b-card hover:bg-sunken">
      <div className="min-w-0 grow">
        <a
          href={`/admin/groups/${name}`}
          className="font-medium wrap-anywhere outline-none after:absolute after:inset-0 after:rounded-control hover:underline focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
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
      </div>
      <Onward />
    </li>
  )
}
