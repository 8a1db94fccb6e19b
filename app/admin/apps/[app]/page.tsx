import { notFound } from 'next/navigation'
import { adminPage } from '@/app/admin/admin-page'
import { titleOf } from '@/app/load-page'
import { ChangeApp, DeleteApp, NewSecret } from '@/components/admin/apps/app-page'
import { Trial } from '@/components/admin/apps/trial'
import { Badge } from '@/components/ui/badge'
import { Card } from '@/components/ui/card'
import { Callout } from '@/components/ui/feedback/callout'
import { TextLink } from '@/components/ui/text-link'
import known from '@/docs/apps.json'
import { allowedApps } from '@/lib/http/pages/load'
import { addressOf, atAddress, type KnownApp } from '@/lib/known-apps'

export const generateMetadata = titleOf((words) => words.admin.apps)

export default adminPage('/admin/apps', ['adminApps', 'handOver'], async (page, { params }) => {
  const { language, site, account, signedIn, administration } = page
  const { app: id = '' } = await params
  const [shown, all, granted] = await Promise.all([
    administration.load('/apps/show', { app: decodeURIComponent(id) }),
    administration.load('/groups', {}),
    allowedApps(signedIn),
  ])
  if (!shown) notFound()
  const { app } = shown
  const words = language.words.adminApps
  const issuer = site.origins[0] ?? ''
  const groups = (all?.groups ?? []).map(({ name }) => name)
  const ownSettings = knownAs(app)
  return (
    <>
      <p>
        <TextLink href="/admin/apps">{words.backToApps}</TextLink>
      </p>
      <h1 className="text-display font-semibold break-words">
        <bdi>{app.name}</bdi>
        {app.managed && <Badge>{words.managed}</Badge>}
      </h1>
      {app.managed && <Callout className="mt-4 max-w-prose">{words.managedText}</Callout>}
      <div className="mt-6 grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        <div className="min-w-0 space-y-5">
          {!app.machine && (
            <Card title={words.tryTitle} titleId="try">
              <div className="px-card py-4">
                <Trial
                  app={app}
                  account={account}
                  grant={granted.apps.find((one) => one.id === app.id) ?? null}
                  language={language}
                />
              </div>
            </Card>
          )}
          <Card title={words.values} titleId="values">
            <div className="px-card py-4">
              <NewSecret app={app} known={ownSettings} issuer={issuer} />
            </div>
          </Card>
        </div>
        <Card title={words.settings} titleId="settings">
          <div className="px-card py-4">
            {app.managed ? <p className="text-muted">{words.managedText}</p> : <ChangeApp app={app} groups={groups} />}
          </div>
        </Card>
      </div>
      {!app.managed && <DeleteApp app={app} />}
    </>
  )
})

/** The known app of that name, at the address that it was registered with. */
function knownAs({ name, redirectUris }: { name: string; redirectUris: string[] }): KnownApp | null {
  const app = (known.apps as KnownApp[]).find((one) => one.name === name)
  const address = app && addressOf(app, redirectUris)
  return app && address != null ? atAddress(app, address) : null
}
