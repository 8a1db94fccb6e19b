import type { Metadata } from 'next'
import { type AdminPage, type AdminPageProps, adminPage } from '@/app/admin/admin-page'
import { firstOf, loadPage } from '@/app/load-page'
import { Onward } from '@/components/admin/lists'
import { AppChooser, NewApp } from '@/components/admin/new-app'
import { AppIcon } from '@/components/apps/app-icon'
import { Host } from '@/components/apps/request'
import { Badge } from '@/components/ui/badge'
import { ButtonLink } from '@/components/ui/button'
import { EmptyList } from '@/components/ui/card'
import known from '@/docs/apps.json'
import { isOrdinary, millisecondsOf, type RegisteredApp } from '@/lib/api/schemas'
import type { KnownApp } from '@/lib/known-apps'
import { fill, listed } from '@/lib/messages/format/text'
import type { PageLanguage } from '@/lib/messages/page-words'

export async function generateMetadata({ searchParams }: AdminPageProps): Promise<Metadata> {
  const { language } = await loadPage()
  const add = firstOf((await searchParams).add)
  const { admin, adminApps } = language.words
  return { title: add === undefined ? admin.apps : (wantedApp(add, language)?.title ?? adminApps.choose) }
}

/** The list of apps; with `?add` the choice of a new one, and with its name the form that adds it. */
export default adminPage('/admin/apps', ['adminApps', 'handOver'], async (page, { searchParams }) => {
  const add = firstOf((await searchParams).add)
  const { language, site, administration } = page
  if (add !== undefined) return <AddApp name={add} page={page} />
  const list = await administration.load('/apps', {})
  return <AppList apps={list?.apps ?? []} appName={site.appName} language={language} />
})

const knownApps: KnownApp[] = known.apps

async function AddApp({ name, page: { administration, language } }: { name: string; page: AdminPage }) {
  const wanted = wantedApp(name, language)
  if (!wanted)
    return <AppChooser names={knownApps.map((app) => app.name).sort((one, other) => one.localeCompare(other, 'en'))} />
  const { groups } = (await administration.load('/groups', {})) ?? { groups: [] }
  return <NewApp {...wanted} groups={groups.map((group) => group.name)} />
}

/** What `?add` names; null where nobody has chosen yet. */
function wantedApp(name: string, { locale, words: { adminApps: words } }: PageLanguage) {
  const chosen = knownApps.find((app) => app.name === name)
  if (chosen)
    return { known: chosen, title: fill(locale, words.addOne, { app: chosen.name }), lead: words.addKnownLead }
  if (name === 'machine') return { kind: name, title: words.addMachine, lead: words.addMachineLead } as const
  if (name === 'device') return { kind: name, title: words.addDevice, lead: words.addDeviceLead } as const
  return name === 'other' ? { title: words.addOther, lead: words.addOtherLead } : null
}

interface Props {
  apps: RegisteredApp[]
  appName: string
  language: PageLanguage
}

/** The apps that people sign in to, each with what keeps somebody out of it. */
function AppList({ apps, appName, language }: Props) {
  const words = language.words.adminApps
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="text-display font-semibold">{language.words.admin.apps}</h1>
          <p className="mt-2 max-w-prose text-lead text-muted">{fill(language.locale, words.lead, { app: appName })}</p>
        </div>
        {apps.length > 0 && (
          <ButtonLink href="/admin/apps?add" look="primary">
            {words.addApp}
          </ButtonLink>
        )}
      </div>
      {apps.length === 0 ? (
        <EmptyList title={words.none} text={words.noneText}>
          <ButtonLink href="/admin/apps?add" look="primary">
            {words.addApp}
          </ButtonLink>
        </EmptyList>
      ) : (
        <ul className="mt-8 divide-y divide-line rounded-card border border-line bg-surface shadow-raised">
          {apps.map((app) => (
            <li key={app.id}>
              <AppRow app={app} language={language} />
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** The whole row leads to the app. */
function AppRow({ app, language }: { app: RegisteredApp; language: PageLanguage }) {
  const { clock, words } = language
  const { adminApps } = words
  const refusal = app.lastRefusal
  const isFaulty =
    refusal !== null &&
    !isOrdinary(refusal.reason) &&
    // A week later it is mended, or would have come again.
    clock.now - Date.parse(refusal.at) < millisecondsOf('7d')
  return (
    <a
      href={`/admin/apps/${encodeURIComponent(app.id)}`}
      className="flex items-center gap-3.5 px-card py-3.5 hover:bg-sunken"
    >
      <AppIcon app={app} className="size-10" />
      <span className="flex min-w-0 grow flex-wrap items-baseline gap-x-6 gap-y-0.5">
        <span className="min-w-0 grow basis-48 font-medium break-words">
          <bdi>{app.name}</bdi>
          {app.managed && <Badge>{adminApps.managed}</Badge>}
          {isFaulty && <Badge>{adminApps.refused}</Badge>}
        </span>
        <span className="min-w-0 basis-56 text-small break-words text-muted max-sm:basis-full">
          <Host host={hostOf(app.homeUrl ?? app.redirectUris[0] ?? '')} className="" />
        </span>
        <span className="min-w-0 basis-40 text-small break-words text-muted">{whomFor(app, language)}</span>
      </span>
      <Onward />
    </a>
  )
}

function whomFor({ machine, groups }: RegisteredApp, { locale, words: { adminApps: words } }: PageLanguage): string {
  if (machine) return words.machine
  return groups.length === 0 ? words.forEverybody : fill(locale, words.forGroups, { groups: listed(locale, groups) })
}

const hostOf = (uri: string) => (/^https?:/.test(uri) && URL.canParse(uri) ? new URL(uri).host : uri)
