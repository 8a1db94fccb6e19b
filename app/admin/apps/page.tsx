import { type AdminPage, adminPage } from '@/app/admin/admin-page'
import { firstOf, titleOf } from '@/app/load-page'
import { AppChooser, AppList } from '@/components/admin/apps/app-list'
import { NewApp } from '@/components/admin/apps/new-app'
import known from '@/docs/apps.json'
import type { KnownApp } from '@/lib/known-apps'

export const generateMetadata = titleOf((words) => words.admin.apps)

/** The list of apps; with `?add` the choice of a new one, and with its name the form that adds it. */
export default adminPage('/admin/apps', ['adminApps', 'handOver'], async (page, { searchParams }) => {
  const add = firstOf((await searchParams).add)
  const { language, site, administration } = page
  if (add !== undefined) return <AddApp name={add} page={page} />
  const list = await administration.load('/apps', {})
  return <AppList apps={list?.apps ?? []} appName={site.appName} language={language} />
})

async function AddApp({ name, page: { administration, language } }: { name: string; page: AdminPage }) {
  const apps: KnownApp[] = known.apps
  const chosen = apps.find((app) => app.name === name)
  const kind = kinds.find((one) => one === name)
  if (!chosen && !kind && name !== 'other') return <AppChooser known={apps} words={language.words.adminApps} />
  const { groups } = (await administration.load('/groups', {})) ?? { groups: [] }
  return <NewApp known={chosen ?? null} kind={kind} groups={groups.map((group) => group.name)} />
}

const kinds = ['machine', 'device'] as const
