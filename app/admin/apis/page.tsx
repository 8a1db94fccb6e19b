import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { cache } from 'react'
import { type AdminPageProps, adminPage, loadIfOpen, titleOfOne } from '@/app/admin/admin-page'
import { firstOf, loadPage } from '@/app/load-page'
import { BackLink } from '@/components/account/home'
import { ApiList, ApiValues, ChangeApi, DeleteApi, NewApi } from '@/components/admin/apis'
import { Card } from '@/components/ui/card'

const showApi = cache((api: string) => loadIfOpen('/apis/show', { api }))

export async function generateMetadata({ searchParams }: AdminPageProps): Promise<Metadata> {
  const query = await searchParams
  const identifier = firstOf(query.api)
  if (identifier !== undefined) return titleOfOne(await showApi(identifier), ({ api }) => api.name, 'apis')
  const { admin, adminApis } = (await loadPage()).language.words
  return { title: query.add === undefined ? admin.apis : adminApis.add }
}

/** The list of APIs; with `?add` the form that adds one, and with `?api` and its identifier the page of one. */
export default adminPage('/admin/apis', ['adminApis', 'adminApps', 'handOver'], async (page, { searchParams }) => {
  const { language, site, administration } = page
  const query = await searchParams
  const identifier = firstOf(query.api)
  const registered = await administration.load('/apps', {})
  const apps = (registered?.apps ?? []).map(({ id, name }) => ({ id, name }))
  if (query.add === undefined && identifier === undefined) {
    const list = await administration.load('/apis', {})
    return <ApiList apis={list?.apis ?? []} apps={apps} appName={site.appName} />
  }
  const all = await administration.load('/groups', {})
  const choices = { apps, groups: (all?.groups ?? []).map(({ name }) => name) }
  if (identifier === undefined) return <NewApi {...choices} />
  const shown = await showApi(identifier)
  if (!shown) notFound()
  const { api } = shown
  const words = language.words.adminApis
  return (
    <>
      <BackLink href="/admin/apis">{language.words.admin.apis}</BackLink>
      <h1 className="text-display font-semibold break-words">
        <bdi>{api.name}</bdi>
      </h1>
      <div className="mt-6 grid grid-cols-1 items-start gap-5 lg:grid-cols-2 lg:grid-rows-[auto_1fr]">
        <Card title={words.values} titleId="values">
          <div className="px-card py-4">
            <ApiValues api={api} issuer={site.origins[0] ?? ''} />
          </div>
        </Card>
        <div className="min-w-0 lg:row-span-2">
          <Card title={language.words.adminApps.settings} titleId="settings">
            <div className="px-card py-4">
              <ChangeApi api={api} {...choices} />
            </div>
          </Card>
        </div>
        <DeleteApi api={api} />
      </div>
    </>
  )
})
